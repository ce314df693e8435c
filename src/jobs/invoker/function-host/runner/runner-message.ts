import type { CallLine, RunnerMessage } from './runner-protocol.js';

type Fields = Readonly<Record<string, unknown>>;

const LEVELS: readonly unknown[] = ['debug', 'info', 'warn', 'error'];

/** A message that the runner cannot have sent: the function has written to the channel itself. */
export class BrokenProtocolError extends Error {
  override readonly name = 'BrokenProtocolError';
}

/** The message; only its shape has been checked. @throws BrokenProtocolError */
export function parseRunnerMessage(value: unknown): RunnerMessage {
  if (isFields(value) && isRunnerMessage(value)) return value as unknown as RunnerMessage;
  throw new BrokenProtocolError('a message of no known shape');
}

function isRunnerMessage(fields: Fields): boolean {
  switch (fields['type']) {
    case 'loaded':
    case 'pong':
      return true;
    case 'failed':
      return areTexts(fields['reason']) && typeof fields['isUnplacedSyntaxError'] === 'boolean';
    case 'crashed':
      return areTexts(fields['reason'], fields['detail']);
    case 'line':
      return isFields(fields['line']) && isLine(fields['line']);
    case 'head':
      return areTexts(fields['call']) && isStatus(fields['status']) && areHeaders(fields['headers']);
    case 'chunk':
    case 'end':
      return areTexts(fields['call']);
    case 'thrown':
      return areTexts(fields['call'], fields['reason']);
    default:
      return false;
  }
}

function isLine({ call, level, message, at, dropped }: Fields & Partial<CallLine>): boolean {
  return (
    (call === null || areTexts(call)) &&
    areTexts(message) &&
    LEVELS.includes(level) &&
    typeof at === 'number' &&
    // What a Date and a timestamp of the database can hold.
    Math.abs(at) < 4e12 &&
    (dropped === undefined || (Number.isSafeInteger(dropped) && dropped > 0))
  );
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
}

function areHeaders(value: unknown): boolean {
  return Array.isArray(value) && value.every(isHeader);
}

function isHeader(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string');
}

function areTexts(...values: unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
