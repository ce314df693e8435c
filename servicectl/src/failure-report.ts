import { CommanderError } from 'commander';
import type { ServiceError } from '../../client/src/index.js';
import { asTyped, callerEnvironment } from './environment.js';
import { CommandError, EXIT } from './command-error.js';
import type { ExitCode } from './command-error.js';
import { paintFor, sanitizeForTerminal } from './terminal.js';

/** What to do about a refusal, where the answer's own hint speaks of HTTP. */
const HINTS: Readonly<Record<string, string>> = {
  org_required: `Choose one: ${asTyped('orgs use <slug>')}, or --org <slug>`,
  not_a_member: `Choose another: ${asTyped('orgs list')}, then ${asTyped('orgs use <slug>')}`,
  unauthenticated: `Run: ${asTyped('login')}`,
  invalid_access_token: `Sign in again: ${asTyped('login')}`,
  invalid_refresh_token: `Sign in again: ${asTyped('login')}`,
  refresh_token_reused: `Sign in again: ${asTyped('login')}`,
  session_revoked: `Sign in again: ${asTyped('login')}`,
  signed_out: `Run: ${asTyped('login')}`,
  network_error: 'Is it running? Another address goes with --url or SERVICE_URL',
};

/** With a key in the environment a login would change nothing. */
const OF_KEY = 'The server does not accept SERVICE_API_KEY: set another key, or unset it';

/** Codes of failures that no server answered, for programs; docs/command-line.md lists them. */
const CODES: Readonly<Record<ExitCode, string>> = {
  [EXIT.failed]: 'failed',
  [EXIT.usage]: 'wrong_usage',
  [EXIT.runFailed]: 'run_failed',
  [EXIT.refused]: 'refused',
  [EXIT.unavailable]: 'unavailable',
  [EXIT.configuration]: 'faulty_configuration',
  [EXIT.interrupted]: 'interrupted',
};

/** What is said of a failure. */
interface Account {
  readonly exitCode: ExitCode;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Problems of the configuration are a list under a heading of its own. */
  readonly hasHeading?: boolean;
  /** The answer of a server, where that was it. */
  readonly refusal?: ServiceError;
}

/** Says what ended a command on standard error, as JSON for programs. @returns the exit code */
export async function reportFailure(error: unknown, asJson: boolean): Promise<number> {
  // Commander has said it to people.
  if (error instanceof CommanderError && (error.exitCode === 0 || !asJson))
    return error.exitCode === 0 ? 0 : EXIT.usage;
  const account = await accountOf(error);
  process.stderr.write(`${asJson ? JSON.stringify({ error: jsonOf(account) }) : textOf(account)}\n`);
  return account.exitCode;
}

async function accountOf(error: unknown): Promise<Account> {
  if (error instanceof CommanderError) return { exitCode: EXIT.usage, message: usageMessage(error) };
  const message = messageOf(error);
  if (error instanceof CommandError) {
    const { exitCode, hint } = error;
    return { exitCode, message, hint, hasHeading: exitCode === EXIT.configuration };
  }
  if (namesExitCode(error)) return { exitCode: error.exitCode, message };
  // The program has errors of the same name, so only the class itself tells; at the start it is not needed.
  const client = await import('../../client/src/index.js');
  if (!(error instanceof client.ServiceError)) return { exitCode: EXIT.failed, message };
  return { exitCode: exitCodeOf(error), message, hint: hintOf(error), refusal: error };
}

/** As errors of the program's start do, which operators' commands come upon. */
function namesExitCode(error: unknown): error is { readonly exitCode: ExitCode } {
  return error instanceof Error && 'exitCode' in error && String(error.exitCode) in CODES;
}

function hintOf({ code, status, hint }: ServiceError): string | undefined {
  return status === 401 && callerEnvironment().apiKey !== null ? OF_KEY : (HINTS[code] ?? hint);
}

function exitCodeOf({ code, status }: ServiceError): ExitCode {
  if (status === 401 || status === 403 || code === 'signed_out') return EXIT.refused;
  const mayPass = code === 'network_error' || code === 'timeout' || status === 429 || status >= 500;
  return mayPass ? EXIT.unavailable : EXIT.failed;
}

function jsonOf({ exitCode, message, hint, refusal }: Account): Record<string, unknown> {
  if (refusal === undefined) return { code: CODES[exitCode], message, hint };
  const { code, status, details, requestId } = refusal;
  return {
    code,
    message,
    status,
    hint,
    details: details.length === 0 ? undefined : details,
    request_id: requestId,
  };
}

function textOf({ message, hint, refusal, hasHeading = false }: Account): string {
  const lines = [
    message,
    ...(refusal?.details ?? []).map((problem) => `  ${problem.path} ${problem.message}`),
  ];
  if (hint !== undefined) lines.push(hint);
  if (refusal?.requestId !== undefined && refusal.status >= 500)
    lines.push(`The server's log has it under the request id ${refusal.requestId}`);
  // A list of problems has a heading of its own.
  const heading = hasHeading ? '' : `${paintFor(process.stderr, 'red', 'error:')} `;
  return `${heading}${sanitizeForTerminal(lines.join('\n'))}`;
}

/** Without a command commander shows the help, and has no message of its own. */
function usageMessage({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'a command is missing' : message.replace(/^error: /, '');
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses that refuse, each has a reason of its own.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error.message;
}
