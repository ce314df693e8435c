import { CommanderError } from 'commander';
import type { ServiceError } from '../../client/src/index.js';
import { CommandError } from './command-error.js';
import { EXIT } from './exit-codes.js';
import type { ExitCode } from './exit-codes.js';
import { harmless } from './terminal.js';

/** What to do about a refusal, where the answer's own hint speaks of HTTP. */
const HINTS: Readonly<Record<string, string>> = {
  org_required: 'Choose one: service orgs use <slug>, or --org <slug>',
  not_a_member: 'Choose another: service orgs list, then service orgs use <slug>',
  unauthenticated: 'Run: service login',
  invalid_access_token: 'Sign in again: service login',
  invalid_refresh_token: 'Sign in again: service login',
  refresh_token_reused: 'Sign in again: service login',
  session_revoked: 'Sign in again: service login',
  signed_out: 'Run: service login',
  network_error: 'Is it running? Another address goes with --url or SERVICE_URL',
};

/** Says what ended a command on standard error, as JSON for programs. @returns the exit code */
export function reportFailure(error: unknown, asJson: boolean): number {
  // Commander has printed what is to be said.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  const exitCode = exitCodeOf(error);
  process.stderr.write(`${asJson ? JSON.stringify({ error: describe(error) }) : textOf(error, exitCode)}\n`);
  return exitCode;
}

/**
 * By its shape: the client is loaded where a command needs it. An operator's command may be told an error of the
 * program itself, which has the same name, and no request.
 */
function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ServiceError' && 'requestId' in error;
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (!isServiceError(error)) return EXIT.failed;
  if (error.status === 401 || error.status === 403 || error.code === 'signed_out') return EXIT.refused;
  const isPassing =
    ['network_error', 'timeout'].includes(error.code) || error.status === 429 || error.status >= 500;
  return isPassing ? EXIT.unavailable : EXIT.failed;
}

function hintOf(error: unknown): string | undefined {
  if (error instanceof CommandError) return error.hint;
  return isServiceError(error) ? (HINTS[error.code] ?? error.hint) : undefined;
}

function describe(error: unknown): Record<string, unknown> {
  const message = messageOf(error);
  if (!isServiceError(error)) return { message, hint: hintOf(error) };
  const { code, status, details, requestId } = error;
  return {
    code,
    message,
    status,
    hint: hintOf(error),
    details: details.length === 0 ? undefined : details,
    request_id: requestId,
  };
}

function textOf(error: unknown, exitCode: ExitCode): string {
  const hint = hintOf(error);
  const lines = [
    // Problems of the configuration are a list under a heading of its own.
    `${exitCode === EXIT.configuration ? '' : 'error: '}${messageOf(error)}`,
    ...(isServiceError(error) ? error.details.map(({ path, message }) => `  ${path} ${message}`) : []),
    ...(hint === undefined ? [] : [hint]),
    ...(isServiceError(error) && error.status >= 500 && error.requestId !== undefined
      ? [`The server's log has it under the request id ${error.requestId}`]
      : []),
  ];
  return harmless(lines.join('\n'));
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses that refuse, each has a reason of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error.message;
}
