import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyKindOf, KEPT_MEMBERS } from './body-limits.js';
import { pathOfName } from './json-path.js';
import { scanJson } from './json-text.js';
import type { JsonScan } from './json-text.js';
import { keepApart, keepBodyText, keepItemTexts } from './raw-json.js';
import { charsetOf, decodeText, isDecoded, JSON_TYPE } from '../../platform/text/index.js';
import { ServiceError } from '../errors/service-error.js';

/** Deeper than any real document, and shallow enough for every recursive walk over it. */
export const MAX_JSON_DEPTH = 100;
/**
 * Names and values in the part of a body that becomes objects. JSON.parse takes about 25 ms for as many distinct names.
 * The manifest of 10,000 minimal jobs has 70,000.
 */
const MAX_PARTS = 100_000;
/** Names and values of a body besides the member that stays text. */
const MAX_PARTS_BESIDE = 100;
/** The same for a batch: 1,000 objects of up to four fields have some 10,000. */
const MAX_PARTS_BESIDE_PAYLOADS = 20_000;
/** Length of a body, in characters, after which the program yields to other work. */
const LARGE = 65_536;

const PAYLOAD = 'payload';
const ITEMS = 'items';
const NO_LIST: Pick<Extract<JsonScan, { fault: null }>, 'members'> = { members: new Map() };

/**
 * For a repeated name, some readers take the first value and others the last (RFC 8259, section 4). Text that is kept
 * goes to another reader exactly as it was sent.
 */
function repeatedName(path: string): ServiceError {
  return new ServiceError('invalid_json', {
    message: `The body names ${path} twice; a name occurs once in an object.`,
  });
}

/** @param path of the text in the body @throws invalid_json */
function scanModestly(text: string, wanted?: string, path = ''): Extract<JsonScan, { fault: null }> {
  const scan = scanJson(text, {
    maxDepth: MAX_JSON_DEPTH,
    hasUniqueNames: true,
    ...(wanted === undefined ? {} : { wanted }),
  });
  if (scan.fault === null) return scan;
  if (scan.fault === 'repeated_name') throw repeatedName(`${path}${pathOfName(text, scan.start)}`);
  const message = `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`;
  throw new ServiceError('invalid_json', scan.fault === 'too_deep' ? { message } : {});
}

/** @throws payload_too_large */
function requireFewParts(parts: number, most: number, where: string): void {
  if (parts <= most) return;
  const message = `The body has more than ${most} names and values${where}.`;
  throw new ServiceError('payload_too_large', { message });
}

/** Replaces a text that is kept, with the same type: an object, a list or neither. */
function emptied(text: string): string {
  return text.startsWith('{') ? '{}' : text.startsWith('[') ? '[]' : 'false';
}

/**
 * The part of a body that becomes objects: everything but the member that is kept as text.
 * @throws invalid_json, payload_too_large
 */
function withoutMember(request: FastifyRequest, text: string, name: 'payload' | 'result' | 'value'): string {
  const { parts, member } = scanModestly(text, name);
  requireFewParts(parts - (member?.parts ?? 0), MAX_PARTS_BESIDE, ` beside ${name}`);
  if (member === null) return text;
  const kept = text.slice(member.start, member.end);
  keepBodyText(request, name, kept);
  return text.slice(0, member.start) + emptied(kept) + text.slice(member.end);
}

/**
 * The same of a batch, whose items have a payload each.
 * @throws invalid_json, payload_too_large
 */
function withoutPayloads(request: FastifyRequest, text: string): string {
  const whole = scanModestly(text, ITEMS);
  const { start, end } = whole.member ?? { start: 0, end: 0 };
  const items = text.slice(start, end);
  // If it is not a list, validation refuses it and names its field.
  const { members } = items.startsWith('[') ? scanModestly(items, PAYLOAD, ITEMS) : NO_LIST;
  let parts = whole.parts;
  let rest = '';
  let at = 0;
  const texts = new Map<number, string>();
  for (const [index, payload] of members) {
    const itemText = items.slice(payload.start, payload.end);
    texts.set(index, itemText);
    rest += items.slice(at, payload.start) + emptied(itemText);
    at = payload.end;
    parts -= payload.parts;
  }
  requireFewParts(parts, MAX_PARTS_BESIDE_PAYLOADS, ' beside the payloads');
  keepItemTexts(request, PAYLOAD, texts);
  return text.slice(0, start) + rest + items.slice(at) + text.slice(end);
}

/** JSON is in UTF-8 (RFC 8259, section 8.1), unless a byte order mark or the Content-Type says otherwise. */
function textOf(body: Buffer, contentType: string): string {
  const decoded = decodeText(body, charsetOf(contentType));
  if (isDecoded(decoded)) return decoded.text;
  throw new ServiceError('invalid_json', { message: `The body ${decoded.problem}.` });
}

/** The text to parse, once it is known that parsing will be quick. */
function parsableText(request: FastifyRequest, body: Buffer): string {
  const text = textOf(body, request.headers['content-type'] ?? '');
  const kind = bodyKindOf(request.routeOptions.config);
  if (kind === 'payload' || kind === 'result' || kind === 'value') return withoutMember(request, text, kind);
  if (kind === 'payloads') return withoutPayloads(request, text);
  requireFewParts(scanModestly(text).parts, MAX_PARTS, '');
  return text;
}

function asParsed(value: unknown): unknown {
  return value;
}

/**
 * JSON (RFC 8259) as the only body type. Fastify refuses a body of any other type with 415. `__proto__` and
 * `constructor.prototype` are refused where objects are created, and are plain data in text that is kept.
 */
export function acceptJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    // Many clients send a Content-Type with every request, even without a body.
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
    const kept = KEPT_MEMBERS.get(bodyKindOf(request.routeOptions.config));
    const parseText = (whenDone: typeof done): void => {
      const { rest, restore } =
        kept === undefined ? { rest: text, restore: asParsed } : keepApart(text, kept);
      void parse(request, rest, (error, parsed) => {
        // The parser's message quotes the body, which the caller already has.
        if (error === null) whenDone(null, restore(parsed));
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
