import { Logger } from '@nestjs/common';
import { basename } from 'node:path';
import { Application } from './application.js';
import { banner } from './startup/banner.js';
import { OperatorSetup } from './identity/index.js';
import { migrateWhenReady, startupError } from './platform/database/index.js';
import type { ProgramLog } from './platform/logging/index.js';
import { redisAddress, requireRedis } from './platform/queue/index.js';
import { reportedWait } from './platform/startup/index.js';
import type { Provisioned } from './startup/provision.js';
import { unlessStopped } from './startup/stop-signal.js';

/** Migrates the database, and serves until the program is to stop. */
export async function runApplication(
  { config, isDatabaseEmbedded }: Omit<Provisioned, 'stop'>,
  log: ProgramLog,
  stopped: Promise<void>,
): Promise<void> {
  // What was not migrated yet is rolled back as its connection ends.
  const migrated = await unlessStopped(migrateWhenReady(config.database, reportWait), stopped, 0);
  if (migrated === null) return;
  const { url } = config.redis;
  const asked =
    url === null ||
    reportedWait(
      requireRedis({ ...config.redis, url }),
      () => `Redis at ${redisAddress({ ...config.redis, url })} to answer`,
      reportWait,
    );
  const redis = await unlessStopped(Promise.resolve(asked), stopped, 0);
  if (redis === null) return;
  const application = await unlessStopped(
    reportedWait(startApplication(config, log), () => 'the configured roles to start', reportWait),
    stopped,
    config.timing.server.startStopMs,
  );
  if (application === null) return;
  const servesConsole = config.roles.has('api') && config.console.enabled;
  const setupCode = isDatabaseEmbedded && servesConsole ? await application.get(OperatorSetup).begin() : null;
  const reader = { isAtTerminal: isStartedByHand(), setupCode };
  process.stdout.write(banner(config, await application.url(), reader));
  await stopped;
  await application.stop();
}

/** The pool may be refused what the migration was given: it opens more connections. */
async function startApplication(config: Provisioned['config'], log: ProgramLog): Promise<Application> {
  try {
    return await Application.start(config, log);
  } catch (error) {
    throw startupError(error, config.database.url) ?? error;
  }
}

/** Whether `npm start` runs on a terminal: scripts/start.mjs loads this file. */
function isStartedByHand(): boolean {
  return process.stdout.isTTY && basename(process.argv[1] ?? '') === 'start.mjs';
}

function reportWait(message: string): void {
  new Logger('Start').log(message);
}
