import { migrateNow } from '../../platform/database/index.js';
import { Logger } from '@nestjs/common';
import { resolve } from 'node:path';
import { ConfigError, loadConfig } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { CommandError, EXIT } from '../../../servicectl/src/index.js';
import type { Terminal } from '../../../servicectl/src/index.js';

/** The configuration with a database that answers and a data key. */
export interface Reached {
  readonly config: Config;
  readonly url: string;
  /** Ends what was started for the command. */
  release(): Promise<void>;
}

export function noDeployment(dataDir: string): CommandError {
  return new CommandError(
    `there is no deployment here: ${resolve(dataDir)} holds no database, and database.url is not set`,
    EXIT.usage,
    'Run the command where the program runs, or name its service.toml in SERVICE_CONFIG',
  );
}

/**
 * The database that the program uses: the configured one; with the embedded default the one of the program that
 * runs at this moment, or where none runs a PostgreSQL for as long as the command takes.
 * @throws CommandError where there is no such database
 */
export async function reachDatabase(config: Config, terminal: Terminal): Promise<Reached> {
  const { database, identity, server } = config;
  if (database.url !== null) return { config, url: database.url, release: () => Promise.resolve() };
  const { ensureGeneratedSecrets, hasEmbeddedPostgres, runningPostgresUrl, startEmbedded } =
    await import('../../platform/embedded/index.js');
  // Starting PostgreSQL here would create an empty database, and the command would report on that.
  if (!hasEmbeddedPostgres(server.dataDir)) throw noDeployment(server.dataDir);
  const running = await runningPostgresUrl(server.dataDir);
  const started =
    running === null
      ? await startEmbedded({
          dataDir: server.dataDir,
          postgres: true,
          redis: false,
          log: ({ level, message }) => {
            if (level !== 'info') terminal.note(message);
          },
        })
      : null;
  const url = running ?? started?.postgresUrl ?? '';
  const dataKey = identity.dataKey ?? ensureGeneratedSecrets(server.dataDir).dataKey;
  return {
    config: { ...config, database: { ...database, url }, identity: { ...identity, dataKey } },
    url,
    release: async () => {
      await started?.stop();
    },
  };
}

// Standard output is for results.
Logger.overrideLogger(false);

/** The configuration of the server. @throws CommandError with every problem of it */
export function readConfiguration(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message, EXIT.configuration);
    throw error;
  }
}

export async function runMigrations(terminal: Terminal): Promise<void> {
  const connection = await reachDatabase(readConfiguration(), terminal);
  try {
    const location = { url: connection.url, schema: connection.config.database.schema };
    const migrations = await migrateNow(location, (message) => {
      terminal.note(message);
    });
    terminal.result(
      { migrations },
      migrations.length === 0 ? 'The database is up to date.' : `Ran:\n  ${migrations.join('\n  ')}`,
    );
  } finally {
    await connection.release();
  }
}
