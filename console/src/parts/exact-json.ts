import { hasRounded } from './rounded.js';

/** The value of a text in JSON; undefined if it is none, or would not be the same again. */
export function exactJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return hasRounded(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** What the parser says of a text that is no JSON, with the place; null for JSON. */
export function syntaxProblemOf(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The object that this text is in JSON; null if it is none, or would not be the same again. */
export function objectOf(text: string): object | null {
  const value = exactJson(text);
  return typeof value === 'object' && !Array.isArray(value) ? value : null;
}
