import { Logger } from '@nestjs/common';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Application } from './application.js';
import { banner } from './banner.js';
import { ConfigError, loadConfig } from './platform/config/index.js';
import { migrateWhenReady, startupError } from './platform/database/index.js';
import { ProgramLog } from './platform/logging/index.js';
import { requireRedis } from './platform/queue/index.js';
import { EXIT_CONFIG, reportedWait, StartupError } from './platform/startup/index.js';
import { provision } from './provision.js';
import type { Provisioned } from './provision.js';

function readConfig(): ReturnType<typeof loadConfig> {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
}

/** Resolves at the first SIGINT or SIGTERM. Later ones change nothing: Ctrl-C often arrives more than once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        resolve();
      });
    }
  });
}

/** Whether `npm start` runs on a terminal: scripts/start.mjs loads this file. */
function isStartedByHand(): boolean {
  return process.stdout.isTTY && basename(process.argv[1] ?? '') === 'start.mjs';
}

function lastWords(error: unknown): string {
  if (error instanceof StartupError) return `The program cannot start: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** How long a step of the start that leaves something behind may take to its end once the program is to stop. */
const STOP_LIMIT_MS = 3_000;

/** The result of the step; null if the program has to stop and the step does not end within `limitMs` of that. */
async function unlessStopped<Result>(
  step: Promise<Result>,
  stopped: Promise<void>,
  limitMs: number,
): Promise<Result | null> {
  const late = stopped.then(() => wait(limitMs, null, { ref: false }));
  return await Promise.race([step, late]);
}

async function main(): Promise<void> {
  const stopped = stopSignal();
  // Without a listener this signal opens Node's debugger, and with it the program, to every process of the same user.
  process.on('SIGUSR1', () => undefined);
  const given = readConfig();
  Logger.overrideLogger(new ProgramLog(given));
  const provisioned = await unlessStopped(
    reportedWait(provision(given), () => 'the embedded servers to start', reportWait),
    stopped,
    STOP_LIMIT_MS,
  );
  // The embedded servers that were about to start end with the process.
  if (provisioned === null) return;
  const { config } = provisioned;
  // Once more, now that it knows the generated secrets, which it keeps out of the log.
  const log = new ProgramLog(config);
  Logger.overrideLogger(log);
  // Libraries drop a promise now and then while Redis or Postgres is away; that must not end the program.
  process.on('unhandledRejection', (reason) => {
    log.error(
      reason instanceof Error ? reason : new Error(String(reason)),
      'a rejected promise was not handled',
      'Process',
    );
  });
  try {
    // What was not migrated yet is rolled back as its connection ends.
    const migrated = await unlessStopped(migrateWhenReady(config.database.url, reportWait), stopped, 0);
    if (migrated === null) return;
    const { url } = config.redis;
    const asked =
      url === null ||
      reportedWait(requireRedis(url), () => `Redis at ${new URL(url).host} to answer`, reportWait);
    const redis = await unlessStopped(Promise.resolve(asked), stopped, 0);
    if (redis === null) return;
    const application = await unlessStopped(
      reportedWait(startApplication(config, log), () => 'the configured roles to start', reportWait),
      stopped,
      STOP_LIMIT_MS,
    );
    if (application === null) return;
    process.stdout.write(banner(config, await application.url(), isStartedByHand()));
    await stopped;
    await application.stop();
  } finally {
    await provisioned.stop();
  }
}

/** The pool may be refused what the migration was given: it opens more connections. */
async function startApplication(config: Provisioned['config'], log: ProgramLog): Promise<Application> {
  try {
    return await Application.start(config, log);
  } catch (error) {
    throw startupError(error, config.database.url) ?? error;
  }
}

function reportWait(message: string): void {
  new Logger('Start').log(message);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${lastWords(error)}\n`);
    process.exit(error instanceof StartupError ? error.exitCode : 1);
  },
);
