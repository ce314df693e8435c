import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { parseFuture, parseInstant, parseTimeSpan } from '../caller/time-spans.js';

/** The options of every command that calls a server. */
export function onServer(command: Command): Command {
  return command
    .option('--url <url>', 'address of the server (SERVICE_URL, or the one of the last login)')
    .option('--org <slug|id>', 'organization to act in (the one of orgs use)');
}

/** Examples at the end of a command's help. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
}

/** A whole number within limits, for an option. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`);
  };
}

/** A duration, milliseconds. */
export function timeSpan(text: string): number {
  const span = parseTimeSpan(text);
  if (span !== null) return span;
  throw new InvalidArgumentError('Must be a number with ms, s, m, h or d, such as 30s.');
}

export function instant(text: string): Date {
  const found = parseInstant(text, Date.now());
  if (found !== null) return found;
  throw new InvalidArgumentError(
    'Must be an instant such as 2026-11-21T12:00:00Z, or how long ago, such as 15m.',
  );
}

export function future(text: string): Date {
  const found = parseFuture(text, Date.now());
  if (found !== null) return found;
  throw new InvalidArgumentError(
    'Must be an instant in the future such as 2027-01-01T00:00:00Z, or a duration such as 90d.',
  );
}
