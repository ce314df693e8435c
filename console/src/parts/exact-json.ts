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

/** The object that this text is in JSON; null if it is none, or would not be the same again. */
export function objectOf(text: string): object | null {
  const value = exactJson(text);
  return typeof value === 'object' && !Array.isArray(value) ? value : null;
}
