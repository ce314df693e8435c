import { nestsDeeperThan, ServiceError } from '../../platform/http/index.js';
import type { RawBody } from '../../platform/http/index.js';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** As deep as any other JSON that the program takes. */
const MAX_DEPTH = 100;

/**
 * The JSON text that a hook's run gets: a JSON body as it came, digit for digit; a form as an object of its
 * fields; without a body the query as one. A field that comes more than once is a list.
 *
 * @param query what follows `?`
 * @throws invalid_json for any other body
 */
export function hookPayload({ bytes, contentType }: RawBody, query: string): string {
  if (bytes.length === 0) return fieldsOf(query);
  const text = textOf(bytes);
  if (FORM_TYPE.test(contentType ?? '')) return fieldsOf(text);
  if (nestsDeeperThan(MAX_DEPTH, text)) {
    throw new ServiceError('invalid_json', {
      message: `The body is nested deeper than ${MAX_DEPTH} levels.`,
    });
  }
  try {
    JSON.parse(text);
  } catch {
    throw new ServiceError('invalid_json', { message: 'The body is neither JSON nor a form.' });
  }
  return text;
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError('invalid_json', { message: 'The body is not valid UTF-8.' });
  }
}

function fieldsOf(encoded: string): string {
  const fields = new URLSearchParams(encoded);
  const entries = [...new Set(fields.keys())].map((name) => {
    const values = fields.getAll(name);
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return JSON.stringify(Object.fromEntries(entries));
}
