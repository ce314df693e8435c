import { Logger } from '@nestjs/common';
import { Application } from './application.js';
import { banner } from './banner.js';
import { ConfigError, loadConfig } from './platform/config/index.js';
import { migrateWhenReady } from './platform/database/index.js';
import { ProgramLog } from './platform/logging/index.js';
import { StartRefusal } from './platform/refusal/index.js';
import { provision } from './provision.js';

/** EX_CONFIG of sysexits.h: something was found in an unconfigured or misconfigured state. */
const EXIT_CONFIG = 78;

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

function lastWords(error: unknown): string {
  if (error instanceof StartRefusal) return `The program cannot start: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function main(): Promise<void> {
  const stopped = stopSignal();
  // Without a listener this signal opens Node's debugger, and with it the program, to every process of the same user.
  process.on('SIGUSR1', () => undefined);
  const provisioned = await provision(readConfig());
  const { config } = provisioned;
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
    await migrateWhenReady(config.database.url);
    const application = await Application.start(config, log);
    process.stdout.write(banner(config, await application.url()));
    await stopped;
    await application.stop();
  } finally {
    await provisioned.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${lastWords(error)}\n`);
    process.exit(1);
  },
);
