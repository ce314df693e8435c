import type { OrganizationClient, Run, RunDetails } from '../../../../client/src/index.js';
import { CommandError, EXIT } from '../../command-error.js';
import { sanitizeForTerminal } from '../../terminal.js';
import type { Terminal } from '../../terminal.js';
import { asTyped } from '../../environment.js';
import { untilInterrupted } from '../interruption.js';
import { logText, runLine } from './run-text.js';

export interface WaitOptions {
  /** Until the run has ended. */
  readonly wait?: boolean;
  /** Likewise, with its log lines as they come. */
  readonly follow?: boolean;
}

/**
 * Shows a new run, or as the options say how it ends.
 * @throws CommandError with an exit code of its own when it did not complete
 */
export async function showNewRun(
  terminal: Terminal,
  client: OrganizationClient,
  run: Run,
  { wait = false, follow = false }: WaitOptions,
): Promise<void> {
  if (!wait && !follow) {
    terminal.result(run, runLine(terminal, run));
    terminal.advise(`Follow it: ${asTyped(`logs -f ${run.id}`)}`);
    return;
  }
  if (!terminal.asJson) terminal.result(run, runLine(terminal, run));
  const ended = await untilInterrupted(
    async (signal) => {
      if (follow) {
        for await (const line of client.logs.follow({ runId: run.id, signal }))
          terminal.result(line, logText(terminal, line, false));
      }
      return await client.runs.wait(run.id, { signal });
    },
    `The run goes on. Stop it: ${asTyped(`runs cancel ${run.id}`)}`,
  );
  terminal.result(ended, outcomeText(terminal, ended));
  if (ended.status !== 'completed') throw new CommandError(`the run did not complete`, EXIT.runFailed);
}

function outcomeText(terminal: Terminal, run: RunDetails): string {
  const result = run.result === null ? '' : `\n${sanitizeForTerminal(JSON.stringify(run.result, null, 2))}`;
  return `${runLine(terminal, run)}${result}`;
}
