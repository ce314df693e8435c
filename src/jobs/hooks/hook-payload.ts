import { MAX_JSON_DEPTH, scanJson, ServiceError } from '../../platform/http/index.js';
import type { RawBody } from '../../platform/http/index.js';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** Of a form, which is taken apart field by field. */
const MAX_FIELDS = 10_000;
const MAX_FORM = 1_048_576;

/**
 * The JSON text that a hook's run gets: a JSON body as it came, digit for digit; a form as an object of its
 * fields; without a body the query as one. A field that comes more than once is a list.
 *
 * @param query what follows `?`
 * @throws invalid_json for any other body, payload_too_large for a form of too many fields
 */
export function hookPayload({ bytes, contentType }: RawBody, query: string): string {
  if (bytes.length === 0) return fieldsOf(query);
  const text = textOf(bytes);
  if (FORM_TYPE.test(contentType ?? '')) return fieldsOf(text);
  const { fault } = scanJson(text, { maxDepth: MAX_JSON_DEPTH });
  if (fault === null) return text;
  throw new ServiceError('invalid_json', {
    message:
      fault === 'too_deep'
        ? `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`
        : 'The body is neither JSON nor a form.',
  });
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError('invalid_json', { message: 'The body is not valid UTF-8.' });
  }
}

function fieldsOf(encoded: string): string {
  if (encoded.length > MAX_FORM || encoded.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) {
    const message = `A form has at most ${MAX_FIELDS} fields and ${MAX_FORM} bytes.`;
    throw new ServiceError('payload_too_large', { message });
  }
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(encoded)) {
    const known = fields.get(name);
    if (Array.isArray(known)) known.push(value);
    else fields.set(name, known === undefined ? value : [known, value]);
  }
  return JSON.stringify(Object.fromEntries(fields));
}
