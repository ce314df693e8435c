import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keepBodyText } from './raw-json.js';
import { ServiceError } from './service-error.js';

/** Deeper than any real document, and shallow enough for every recursive walk over it. */
const MAX_DEPTH = 100;

const JSON_TYPES = /^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i;

/** Whether the brackets of a JSON text nest deeper than this, told before anything recursive sees it. */
export function nestsDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (inString) {
      if (character === 0x5c) index += 1;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x5b || character === 0x7b) {
      depth += 1;
      if (depth > levels) return true;
    } else if (character === 0x5d || character === 0x7d) depth -= 1;
  }
  return false;
}

/** How large a body may be, bytes. */
export interface BodyLimits {
  /** Of a body that becomes a run's payload. */
  readonly payloadBytes: number;
  /** Of any other. */
  readonly otherBytes: number;
}

const PAYLOAD_ROUTES: ReadonlySet<string> = new Set(['/jobs/v1/jobs/:id/trigger']);

function takesPayload(request: FastifyRequest): boolean {
  return PAYLOAD_ROUTES.has(request.routeOptions.url ?? '');
}

/** UTF-8 JSON (RFC 8259) as the only body type; a body of any other type is refused by Fastify with 415. */
export function acceptJsonBodies(server: FastifyInstance, limits: BodyLimits): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length > (takesPayload(request) ? limits.payloadBytes : limits.otherBytes)) {
      done(new ServiceError('payload_too_large'));
      return;
    }
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer);
    } catch {
      done(new ServiceError('invalid_json', { message: 'The body is not valid UTF-8.' }));
      return;
    }
    if (nestsDeeperThan(MAX_DEPTH, text)) {
      done(
        new ServiceError('invalid_json', { message: `The body is nested deeper than ${MAX_DEPTH} levels.` }),
      );
      return;
    }
    if (takesPayload(request)) keepBodyText(request, text);
    void parse(request, text, (error, parsed) => {
      // Whatever the parser says quotes the body; the caller has the body already.
      if (error === null) done(null, parsed);
      else done(new ServiceError('invalid_json'));
    });
  });
}
