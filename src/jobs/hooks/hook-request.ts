import { MAX_JSON_DEPTH, scanJson, ServiceError } from '../../http/index.js';
import { charsetOf, decodeText, FormError, formFields, isDecoded } from '../../platform/text/index.js';
import type { RawBody } from '../../http/index.js';
import { headerOf, siblingHeader } from './signatures/index.js';
import type { SignedRequest } from './signatures/index.js';
import type { Verification } from './webhook-verification.js';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** Limits of a form, which is parsed field by field. */
const MAX_FIELDS = 10_000;
const MAX_FORM = 1_048_576;

/**
 * The JSON text that a hook's run gets: a JSON body unchanged but for its charset, a form as an object of its fields, or without a body the
 * query as such an object. A field that occurs more than once becomes a list.
 *
 * @param query the part after `?`
 * @throws invalid_json for any other body, payload_too_large for a form with too many fields
 */
export function hookPayload({ bytes, contentType }: RawBody, query: string): string {
  if (bytes.length === 0) return fieldsOf(Buffer.from(query), null);
  const charset = charsetOf(contentType ?? '');
  if (FORM_TYPE.test(contentType ?? '')) return fieldsOf(bytes, charset);
  const text = textOf(bytes, charset);
  const { fault } = scanJson(text, { maxDepth: MAX_JSON_DEPTH });
  if (fault === null) return text;
  throw new ServiceError('invalid_json', {
    message:
      fault === 'too_deep'
        ? `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`
        : 'The body is neither JSON nor a form.',
  });
}

function textOf(bytes: Buffer, charset: string | null): string {
  const decoded = decodeText(bytes, charset);
  if (isDecoded(decoded)) return decoded.text;
  throw new ServiceError('invalid_json', { message: `The body ${decoded.problem}.` });
}

function formOf(encoded: Buffer, charset: string | null): [string, string][] {
  try {
    return formFields(encoded, charset);
  } catch (error) {
    if (error instanceof FormError) throw new ServiceError('invalid_json', { message: error.message });
    throw error;
  }
}

function fieldsOf(encoded: Buffer, charset: string | null): string {
  if (
    encoded.length > MAX_FORM ||
    encoded.toString('latin1').split('&', MAX_FIELDS + 1).length > MAX_FIELDS
  ) {
    const message = `A form has at most ${MAX_FIELDS} fields and ${MAX_FORM} bytes.`;
    throw new ServiceError('payload_too_large', { message });
  }
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of formOf(encoded, charset)) {
    const known = fields.get(name);
    if (Array.isArray(known)) known.push(value);
    else fields.set(name, known === undefined ? value : [known, value]);
  }
  return JSON.stringify(Object.fromEntries(fields));
}

const GITHUB_DELIVERY = 'x-github-delivery';
/** Unique to an event and the same in its redeliveries: https://docs.gitlab.com/user/project/integrations/webhooks/#delivery-headers */
const GITLAB_DELIVERY = 'idempotency-key';
const STANDARD_ID = 'webhook-id';

/** The headers of which the first that is there has the delivery's id; none for a format that has it in the body. */
function idHeadersOf({ format, header, idHeader }: Verification): string[] {
  if (idHeader !== null) return [idHeader];
  if (format === 'stripe') return [];
  if (format === 'standard') return [siblingHeader(header, 'id')];
  return format === 'gitlab' ? [GITLAB_DELIVERY] : [GITHUB_DELIVERY, STANDARD_ID];
}

const ASCII = /^[\x20-\x7e\t]*$/;

/**
 * An id is ASCII (RFC 9110, section 5.5): of other bytes, the senders and receivers of Standard Webhooks make different
 * texts, so that one and the same id would be signed in two ways, and be two deliveries.
 * @throws bad_request
 */
export function requireReadableId(request: SignedRequest, rule: Verification): void {
  const unreadable = idHeadersOf(rule).find((name) => !ASCII.test(headerOf(request, name)));
  if (unreadable === undefined) return;
  const message = `The header ${unreadable} has characters that are not ASCII. It has the delivery's id, which is ASCII.`;
  throw new ServiceError('bad_request', { message });
}

/**
 * The id that the provider gave a delivery, by which a redelivery is recognized. Null when there is none; each call then
 * counts as a delivery of its own, because two events can have equal bodies.
 *
 * @param payload JSON text
 */
export function deliveryIdOf(request: SignedRequest, rule: Verification, payload: string): string | null {
  if (rule.idHeader === null && rule.format === 'stripe') return eventIdOf(payload);
  const ids = idHeadersOf(rule).map((name) => headerOf(request, name));
  return ids.find((id) => id !== '') ?? null;
}

/** The `id` of a Stripe event (https://docs.stripe.com/api/events/object). */
function eventIdOf(payload: string): string | null {
  const scan = scanJson(payload, { maxDepth: MAX_JSON_DEPTH, wanted: 'id' });
  if (scan.fault !== null || scan.member === null) return null;
  const { start, end } = scan.member;
  const id: unknown = payload[start] === '"' ? JSON.parse(payload.slice(start, end)) : null;
  return typeof id === 'string' && id !== '' ? id : null;
}
