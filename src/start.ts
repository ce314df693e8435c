import { Logger } from '@nestjs/common';
import { ConfigError, loadConfig } from './platform/config/index.js';
import { ProgramLog } from './platform/logging/index.js';
import { EXIT_CONFIG, reportedWait, StartupError } from './platform/startup/index.js';
import { provision } from './startup/provision.js';
import { stopSignal, unlessStopped } from './startup/stop-signal.js';

function readConfig(): ReturnType<typeof loadConfig> {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
}

function lastWords(error: unknown): string {
  if (error instanceof StartupError) return `The program cannot start: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Nearly all of the program's code. To load it takes about as long as the embedded servers take to start. */
let program: Promise<typeof import('./run-application.js')> | null = null;

function loadProgram(): Promise<typeof import('./run-application.js')> {
  program ??= import('./run-application.js');
  return program;
}

async function main(): Promise<void> {
  const stopped = stopSignal();
  // Without a listener this signal opens Node's debugger, and with it the program, to every process of the same user.
  process.on('SIGUSR1', () => undefined);
  const given = readConfig();
  Logger.overrideLogger(new ProgramLog(given));
  const provisioned = await unlessStopped(
    reportedWait(
      provision(given, () => void loadProgram()),
      () => 'the embedded servers to start',
      (message) => {
        new Logger('Start').log(message);
      },
    ),
    stopped,
    given.timing.server.startStopMs,
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
    const { runApplication } = await loadProgram();
    await runApplication(provisioned, log, stopped);
  } finally {
    await provisioned.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${lastWords(error)}\n`);
    process.exit(error instanceof StartupError ? error.exitCode : 1);
  },
);
