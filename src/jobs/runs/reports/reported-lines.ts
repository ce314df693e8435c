import { FieldProblems } from '../../../http/index.js';
import { LOG_LEVELS } from '../../logs/index.js';
import type { LogLevel } from '../../logs/index.js';

export const MAX_LINES = 1_000;

/** A line of a handler. */
export interface ReportedLine {
  readonly level: LogLevel;
  readonly message: string;
}

/** The lines of a body, which is a list. @throws validation_failed */
export function linesOf(body: unknown): ReportedLine[] {
  const problems = new FieldProblems();
  const isList = Array.isArray(body) && body.length > 0 && body.length <= MAX_LINES;
  if (!isList) problems.add('', `must be a list of 1 to ${MAX_LINES} lines`);
  const lines = isList ? body.flatMap((line: unknown, index) => lineAt(line, index, problems) ?? []) : [];
  problems.requireNone();
  return lines;
}

function lineAt(line: unknown, index: number, problems: FieldProblems): ReportedLine | null {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    problems.add(`[${index}]`, 'must be an object');
    return null;
  }
  const { level, message, ...unknown } = line as Readonly<Record<string, unknown>>;
  const known = LOG_LEVELS.find((one) => one === level);
  if (known === undefined) problems.add(`[${index}].level`, `must be one of ${LOG_LEVELS.join(', ')}`);
  if (typeof message !== 'string') problems.add(`[${index}].message`, 'must be a text');
  for (const field of Object.keys(unknown)) problems.addUnknown(`[${index}].${field}`);
  return known === undefined || typeof message !== 'string' ? null : { level: known, message };
}
