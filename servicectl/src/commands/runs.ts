import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { LogLevel, RunStatus, RunTriggerType } from '../../../client/src/index.js';
import type { ServerOptions } from '../caller/session/connection.js';
import type { RetryOptions, RunListOptions } from '../caller/runs/runs.js';
import type { LogOptions } from '../caller/runs/logs.js';
import type { TriggerOptions } from '../caller/jobs/trigger.js';
import type { BulkOptions } from '../caller/runs/bulk-runs.js';
import { EXIT } from '../command-error.js';
import { Terminal } from '../terminal.js';
import { addListCommand } from './help.js';
import { future, instant, onServer, timeSpan, wholeNumber, withExamples } from './arguments.js';

type CancelOptions = BulkOptions & { readonly children?: boolean };

/** Objects, so that the compiler refuses a list that lacks a value of the API or has another one. */
const STATUSES = Object.keys({
  queued: true,
  running: true,
  retrying: true,
  completed: true,
  failed: true,
  cancelled: true,
} satisfies Record<RunStatus, true>);
const TRIGGERS = Object.keys({
  manual: true,
  cron: true,
  webhook: true,
  event: true,
  data: true,
} satisfies Record<RunTriggerType, true>);
const LEVELS = Object.keys({ debug: true, info: true, warn: true, error: true } satisfies Record<
  LogLevel,
  true
>);
const LIST_MOST = 10_000;

/** Statuses, separated by commas. */
function statuses(text: string): RunStatus[] {
  const given = text.split(',');
  if (given.every((status) => STATUSES.includes(status))) return given as RunStatus[];
  throw new InvalidArgumentError(`Allowed choices are ${STATUSES.join(', ')}.`);
}

/** `trigger`, `runs`, `logs` */
export function addRunCommands(program: Command): void {
  addTrigger(program);
  addRuns(program);
  addLogs(program);
}

function waiting(command: Command): Command {
  return command
    .option('--wait', 'wait until the run has ended; exit code 3 unless it completed')
    .option('--follow', 'like --wait, and print log lines as they arrive');
}

function addTrigger(program: Command): void {
  const command = onServer(
    waiting(
      program
        .command('trigger')
        .description('Run a job now')
        .argument('<job>', 'its id')
        .option(
          '--payload <json|@file|->',
          'JSON object for the handler, a file of it, or - for standard input',
        )
        .option('--delay <duration>', 'start the run after this time, such as 30s or 2h', timeSpan)
        .addOption(
          new Option('--at <instant>', 'start the run at this time').argParser(future).conflicts('delay'),
        )
        .addOption(
          new Option(
            '--batch <file|->',
            'one run for each item of a JSON list or of JSON lines: {"payload": {…}, "delay_ms": 0}',
          ).conflicts(['payload', 'delay', 'at', 'idempotencyKey', 'wait', 'follow']),
        )
        .option(
          '--idempotency-key <key>',
          'trigger only one run for the same key and payload within 24 hours',
        ),
    ),
  );
  withExamples(
    command,
    `servicectl trigger greet --payload '{"name":"Ada"}' --follow`,
    'servicectl trigger report --payload @report.json --wait --json',
    'servicectl trigger cleanup --delay 10m',
    'servicectl trigger report --batch days.ndjson',
  ).action(async (job: string, options: TriggerOptions, self: Command) => {
    const { trigger } = await import('../caller/jobs/trigger.js');
    await trigger(Terminal.of(self), job, options);
  });
}

function addRuns(program: Command): void {
  const runs = withExamples(
    program.command('runs').description('Runs of jobs: past, running and waiting'),
    'servicectl runs',
    'servicectl runs --job greet --status failed --since 2h',
    'servicectl runs show run_01M7YYP1…',
    'servicectl runs retry run_01M7YYP1… --follow',
    'servicectl runs retry run_01M7YYP1… --payload @corrected.json',
    'servicectl runs retry --status failed --since 8h --dry-run',
  );
  onServer(addListCommand(runs).description('Show runs, newest first'))
    .option('--job <job>', 'only runs of this job')
    .addOption(statusOption('in this status only, or in one of several, separated by commas'))
    .option('--parent <run>', 'only runs that the handler of this run triggered')
    .addOption(new Option('--trigger <kind>', 'set going by this only').choices(TRIGGERS))
    .option('--since <instant|duration>', 'created at this time or later, or within this duration', instant)
    .option('--limit <number>', 'maximum number of runs', wholeNumber(1, LIST_MOST), 20)
    .action(async (options: RunListOptions, command: Command) => {
      const { listRuns } = await import('../caller/runs/runs.js');
      await listRuns(Terminal.of(command), options);
    });
  onServer(
    runs.command('show').description('Show one run with its attempts').argument('<run>', 'its id'),
  ).action(async (id: string, server: ServerOptions, command: Command) => {
    const { showRun } = await import('../caller/runs/runs.js');
    await showRun(Terminal.of(command), id, server);
  });
  filtered(
    onServer(
      runs
        .command('cancel')
        .description('Stop a run that has not ended, or all that match')
        .argument('[run]', 'its id')
        .option('--children', 'also stop the runs that it triggered, and those that these triggered'),
    ),
  ).action(async (id: string | undefined, options: CancelOptions, command: Command) => {
    const { changeRuns, hasFilter } = await import('../caller/runs/bulk-runs.js');
    const terminal = Terminal.of(command);
    requireOne(command, id !== undefined, hasFilter(options));
    if (id === undefined) {
      if (options.children === true)
        command.error('error: --children needs the id of one run', { exitCode: EXIT.usage });
      await changeRuns(terminal, 'cancel', options);
      return;
    }
    const { cancelRun } = await import('../caller/runs/runs.js');
    await cancelRun(terminal, id, options);
  });
  filtered(
    onServer(
      waiting(
        runs
          .command('retry')
          .description('Repeat a run that has ended, or all that match')
          .argument('[run]', 'its id')
          .option(
            '--payload <json|@file|->',
            'JSON for the handler instead of that of the run, a file of it, or - for standard input',
          ),
      ),
    ),
  ).action(async (id: string | undefined, options: BulkOptions & RetryOptions, command: Command) => {
    const { changeRuns, hasFilter } = await import('../caller/runs/bulk-runs.js');
    const terminal = Terminal.of(command);
    requireOne(command, id !== undefined, hasFilter(options));
    if (id === undefined) {
      if (options.payload !== undefined)
        command.error('error: --payload needs the id of one run', { exitCode: EXIT.usage });
      await changeRuns(terminal, 'retry', options);
      return;
    }
    const { retryRun } = await import('../caller/runs/runs.js');
    await retryRun(terminal, id, options);
  });
}

/** The options that name runs in place of an id. */
function filtered(command: Command): Command {
  return command
    .option('--job <job>', 'all runs of this job')
    .addOption(statusOption('all runs in this status, or in one of several, separated by commas'))
    .option('--since <instant|duration>', 'all runs created at this time or later', instant)
    .option('--dry-run', 'only show how many runs match')
    .option('-y, --yes', 'do not ask');
}

function statusOption(description: string): Option {
  return new Option('--status <status>', description).choices(STATUSES).argParser(statuses);
}

function requireOne(command: Command, hasId: boolean, hasFilter: boolean): void {
  if (hasId === hasFilter)
    command.error('error: name one run, or several by --job, --status or --since', { exitCode: EXIT.usage });
}

function addLogs(program: Command): void {
  const command = onServer(
    program
      .command('logs')
      .description('Show the log lines of runs, with the output of their handlers')
      .argument('[run]', 'its id (default: the lines of all runs)')
      .option('-f, --follow', 'print lines as they arrive; for a run, from its beginning to its end')
      .option('--job <job>', 'only lines of this job')
      .addOption(new Option('--level <level>', 'only lines of this level and above').choices(LEVELS))
      .option('--since <instant|duration>', 'from this time on, or within this duration', instant)
      .option('--tail <number>', 'number of newest lines (100 without --follow)', wholeNumber(0, LIST_MOST))
      .option('--limit <number>', 'number of oldest lines, instead of the newest', wholeNumber(1, LIST_MOST)),
  );
  withExamples(
    command,
    'servicectl logs -f run_01M7YYP1…',
    'servicectl logs -f --job greet',
    'servicectl logs --tail 20 --level error',
    'servicectl logs --since 1h --limit 1000',
  ).action(async (run: string | undefined, options: LogOptions, self: Command) => {
    const { showLogs } = await import('../caller/runs/logs.js');
    await showLogs(Terminal.of(self), run, options);
  });
}
