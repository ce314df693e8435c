import { isStorableJson, RawJson, Rule, scanJson } from '../../../../http/index.js';
import { oversizedNumber } from '../../../../platform/json/index.js';

/** For OpenAPI. */
export const PAYLOAD_FILTER =
  "A JSON object that the payload contains, as PostgreSQL's `@>` has it. It has no NUL, no half of a surrogate pair and no number that `jsonb` cannot hold.";

/** A JSON object, as text of a query or within a body, that `jsonb` can hold: nothing else is contained in anything. */
export function PayloadFilter(): PropertyDecorator {
  return Rule(problemOf);
}

function problemOf(given: unknown): string | null {
  const text = given instanceof RawJson ? given.text : given;
  const value = typeof text === 'string' ? objectOf(text) : null;
  if (typeof text !== 'string' || value === null) return 'must be a JSON object';
  if (scanJson(text, { maxDepth: Infinity, hasUniqueNames: true }).fault === 'repeated_name')
    return 'must name each member of an object once';
  if (!isStorableJson(value)) return 'must not contain NUL or unpaired surrogates';
  const number = oversizedNumber(text);
  return number === null
    ? null
    : `must have no numbers that jsonb cannot hold, such as ${number.slice(0, 40)}`;
}

function objectOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
