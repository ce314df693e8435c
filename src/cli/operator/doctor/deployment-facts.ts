import type { Config } from '../../../platform/config/index.js';
import type { DataFolder } from '../../../platform/embedded/index.js';
import { noDeployment } from '../deployment.js';

/** Which servers the deployment has, without starting or making any. */
export interface DeploymentFacts {
  /** With the generated secrets that there are. */
  readonly config: Config;
  readonly profile: Config['identity']['profile'];
  /** Null where the program runs its own, and does not run now. */
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly isDatabaseEmbedded: boolean;
  /** Null where the program has servers of others only. */
  readonly dataFolder: DataFolder | null;
}

/** @throws CommandError where there is no deployment */
export async function deploymentOf(config: Config): Promise<DeploymentFacts> {
  const { database, redis, identity, admin, server } = config;
  if (database.url !== null && redis.url !== null)
    return {
      config,
      profile: identity.profile,
      databaseUrl: database.url,
      redisUrl: redis.url,
      isDatabaseEmbedded: false,
      dataFolder: null,
    };
  const { hasEmbeddedPostgres, inspectDataFolder, runningPostgresUrl, runningRedisUrl } =
    await import('../../../platform/embedded/index.js');
  const isDatabaseEmbedded = database.url === null;
  if (isDatabaseEmbedded && !hasEmbeddedPostgres(server.dataDir)) throw noDeployment(server.dataDir);
  const folder = await inspectDataFolder(server.dataDir, isDatabaseEmbedded);
  // Where a password is gone, to ask for the server would make another one.
  const isWhole = folder !== null && folder.missing.length === 0 && folder.closed.length === 0;
  const [postgresUrl, redisUrl] = await Promise.all([
    isWhole && isDatabaseEmbedded ? runningPostgresUrl(server.dataDir) : null,
    isWhole && folder.hasRedisPassword ? runningRedisUrl(server.dataDir) : null,
  ]);
  const { dataKey = null, adminToken = null } = folder?.secrets ?? {};
  return {
    config: {
      ...config,
      identity: { ...identity, dataKey: identity.dataKey ?? (isDatabaseEmbedded ? dataKey : null) },
      admin: { ...admin, token: admin.token ?? (isDatabaseEmbedded ? adminToken : null) },
    },
    profile: identity.profile,
    databaseUrl: database.url ?? postgresUrl,
    // What a program that ended has left behind tells where its Redis was.
    redisUrl: redis.url ?? (isDatabaseEmbedded && postgresUrl === null ? null : redisUrl),
    isDatabaseEmbedded,
    dataFolder: folder,
  };
}
