import type { FastifyInstance } from 'fastify';
import { ServiceError } from './service-error.js';

/** Deeper than any real document, and shallow enough for every recursive walk over it. */
const MAX_DEPTH = 100;

const JSON_TYPES = /^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i;

/** Whether brackets nest deeper than `MAX_DEPTH`, told from the text, before anything recursive sees it. */
function nestsTooDeep(text: string): boolean {
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
      if (depth > MAX_DEPTH) return true;
    } else if (character === 0x5d || character === 0x7d) depth -= 1;
  }
  return false;
}

/** UTF-8 JSON (RFC 8259) as the only body type; a body of any other type is refused by Fastify with 415. */
export function acceptJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer);
    } catch {
      done(new ServiceError('invalid_json', { message: 'The body is not valid UTF-8.' }));
      return;
    }
    if (nestsTooDeep(text)) {
      done(
        new ServiceError('invalid_json', { message: `The body is nested deeper than ${MAX_DEPTH} levels.` }),
      );
      return;
    }
    void parse(request, text, done);
  });
}
