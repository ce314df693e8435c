import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyKindOf } from './body-limits.js';
import { scanJson } from './json-text.js';
import type { MemberRange } from './json-text.js';
import { keepBodyText } from './raw-json.js';
import { ServiceError } from '../errors/service-error.js';

/** Deeper than any real document, and shallow enough for every recursive walk over it. */
export const MAX_JSON_DEPTH = 100;
/**
 * Names and values of a body that is made into objects; some 25 ms of JSON.parse where every name is another. The
 * manifest of 10,000 bare jobs has 70,000.
 */
const MAX_PARTS = 100_000;
/** Names and values of a trigger's body beside the payload, which stays text. */
const MAX_PARTS_BESIDE_PAYLOAD = 100;
/** Characters of a body after whose reading others have their turn. */
const LARGE = 65_536;

const PAYLOAD = 'payload';
const JSON_TYPES = /^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i;

/** @throws invalid_json, payload_too_large */
function requireModest(text: string, wanted: string | undefined): MemberRange | null {
  const scan = scanJson(text, { maxDepth: MAX_JSON_DEPTH, ...(wanted === undefined ? {} : { wanted }) });
  if (scan.fault !== null) {
    const message = `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`;
    throw new ServiceError('invalid_json', scan.fault === 'too_deep' ? { message } : {});
  }
  const [most, where] =
    wanted === undefined ? [MAX_PARTS, ''] : [MAX_PARTS_BESIDE_PAYLOAD, ` beside ${wanted}`];
  if (scan.parts - (scan.member?.parts ?? 0) > most) {
    const message = `The body has more than ${most} names and values${where}.`;
    throw new ServiceError('payload_too_large', { message });
  }
  return scan.member;
}

/**
 * What is to be made into objects of a trigger's body: all but the payload, which is kept as text. What stands in its
 * place is as much an object, a list or neither.
 */
function withoutPayload(request: FastifyRequest, text: string): string {
  const member = requireModest(text, PAYLOAD);
  if (member === null) return text;
  const payload = text.slice(member.start, member.end);
  keepBodyText(request, PAYLOAD, payload);
  const emptied = payload.startsWith('{') ? '{}' : payload.startsWith('[') ? '[]' : 'false';
  return text.slice(0, member.start) + emptied + text.slice(member.end);
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new ServiceError('invalid_json', { message: 'The body is not valid UTF-8.' });
  }
}

/** The text to be parsed, once it is known that this takes no time to speak of. */
function parsableText(request: FastifyRequest, body: Buffer): string {
  const text = textOf(body);
  if (bodyKindOf(request.routeOptions.config) === 'payload') return withoutPayload(request, text);
  requireModest(text, undefined);
  return text;
}

/** UTF-8 JSON (RFC 8259) as the only body type; a body of any other type is refused by Fastify with 415. */
export function acceptJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    // Many clients name the type of every request, also of those without a body.
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    let text: string;
    try {
      text = parsableText(request, body as Buffer);
    } catch (error) {
      done(error as ServiceError);
      return;
    }
    const parseText = (whenDone: typeof done): void => {
      void parse(request, text, (error, parsed) => {
        // Whatever the parser says quotes the body; the caller has the body already.
        if (error === null) whenDone(null, parsed);
        else whenDone(new ServiceError('invalid_json'));
      });
    };
    if (text.length <= LARGE) parseText(done);
    else {
      setImmediate(parseText, (error: Error | null, parsed?: unknown) => {
        setImmediate(done, error, parsed);
      });
    }
  });
}
