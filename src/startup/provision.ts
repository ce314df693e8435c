import { Logger } from '@nestjs/common';
import type { Config } from '../platform/config/index.js';

export interface Provisioned {
  /** Complete: with the URL of a database and of a Redis, and with a data key. */
  readonly config: Config & { readonly database: { readonly url: string } };
  /** Whether the database is our own, for this program alone. */
  readonly isDatabaseEmbedded: boolean;
  /** Ends what was started here. */
  stop(): Promise<void>;
}

/**
 * Fills what the configuration leaves to the embedded default: our own PostgreSQL and Redis, generated secrets.
 * @param waiting called once nothing is left to do but to wait until the servers answer
 */
export async function provision(config: Config, waiting: () => void): Promise<Provisioned> {
  const { database, redis, identity, admin, server } = config;
  if (database.url !== null && redis.url !== null) {
    return {
      config: { ...config, database: { ...database, url: database.url } },
      isDatabaseEmbedded: false,
      stop: () => Promise.resolve(),
    };
  }
  // Loaded only here: a deployment with servers of its own never touches it.
  const { ensureGeneratedSecrets, startEmbedded } = await import('../platform/embedded/index.js');
  const logger = new Logger('Embedded');
  const secrets = database.url === null ? ensureGeneratedSecrets(server.dataDir) : null;
  const servers = await startEmbedded({
    dataDir: server.dataDir,
    postgres: database.url === null,
    redis: redis.url === null,
    launched: waiting,
    log: ({ level, message }) => {
      logger[level === 'info' ? 'debug' : level](message);
    },
  });
  return {
    config: {
      ...config,
      database: { ...database, url: database.url ?? servers.postgresUrl ?? '' },
      redis: { ...redis, url: redis.url ?? servers.redisUrl },
      identity: { ...identity, dataKey: identity.dataKey ?? secrets?.dataKey ?? null },
      admin: { ...admin, token: admin.token ?? secrets?.adminToken ?? null },
    },
    isDatabaseEmbedded: database.url === null,
    stop: () => servers.stop(),
  };
}
