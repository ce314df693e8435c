import { applyDecorators, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { charsetOf, decodeAs, decodeText, isDecoded } from '../../platform/text/index.js';
import { ServiceError } from '../errors/service-error.js';
import { MAX_JSON_DEPTH } from './json-body.js';
import { pathOfName } from './json-path.js';
import { scanJson } from './json-text.js';
import { parseKeeping } from './raw-json.js';
import type { BodyKind } from './body-limits.js';

const NDJSON_TYPE = 'application/x-ndjson';
const NDJSON_TYPES = /^application\/(?:x-)?ndjson\s*(?:;|$)/i;

/** Limits: lines in one body, and bytes in one line. */
export const MAX_LINES = 1_000;
const MAX_LINE_BYTES = 65_536;
const MAX_PARTS = 10_000;

const NEWLINE = 0x0a;

interface LinesRouteConfig {
  readonly takesLines?: boolean;
  readonly bodyKind?: BodyKind;
}

/** A line of a body. */
export interface BodyLine {
  /** Counted from 1, including blank lines. */
  readonly number: number;
  readonly bytes: Buffer;
}

/** Gives a route a body of newline-delimited JSON, which `ReceivedLines` splits into lines. */
export function TakesLines(kind: 'manifest' | 'document', example: string): MethodDecorator {
  return applyDecorators(
    RouteConfig({ takesLines: true, bodyKind: kind } satisfies LinesRouteConfig),
    ApiConsumes(NDJSON_TYPE),
    ApiBody({
      required: true,
      description: `At most ${MAX_LINES} lines, each a JSON object.`,
      schema: { type: 'string', example },
    }),
  );
}

function takesLines({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.config as LinesRouteConfig | undefined)?.takesLines === true;
}

/** The lines of the body that are not blank. */
export const ReceivedLines = createParamDecorator((_: unknown, context: ExecutionContext): BodyLine[] => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (Buffer.isBuffer(body) && body.length > 0) return linesOf(body);
  throw new ServiceError('unsupported_media_type', {
    message: 'The body must be newline-delimited JSON.',
    hint: `Send Content-Type: ${NDJSON_TYPE}.`,
  });
});

/** @throws payload_too_large */
function linesOf(body: Buffer): BodyLine[] {
  const lines: BodyLine[] = [];
  let number = 0;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf(NEWLINE, start);
    const end = newline < 0 ? body.length : newline;
    number += 1;
    if (number > MAX_LINES)
      throw new ServiceError('payload_too_large', { message: `The body has more than ${MAX_LINES} lines.` });
    const bytes = body.subarray(start, end);
    if (!isBlank(bytes)) lines.push({ number, bytes });
    start = end + 1;
  }
  return lines;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/**
 * Returns the object in a line, or a description of what is wrong with the line.
 * @param kept members with this name become RawJson
 */
export function objectOf({ bytes }: BodyLine, kept: string): Readonly<Record<string, unknown>> | string {
  if (bytes.length > MAX_LINE_BYTES) return `The line has more than ${MAX_LINE_BYTES} bytes.`;
  const decoded = decodeAs(bytes, 'utf-8');
  if (!isDecoded(decoded)) return 'The line is not valid UTF-8.';
  const { text } = decoded;
  const scan = scanJson(text, { maxDepth: MAX_JSON_DEPTH, hasUniqueNames: true });
  if (scan.fault === 'too_deep') return `The line is nested deeper than ${MAX_JSON_DEPTH} levels.`;
  if (scan.fault === 'repeated_name') return `The line names ${pathOfName(text, scan.start)} twice.`;
  if (scan.fault !== null) return 'The line is not valid JSON.';
  if (scan.parts > MAX_PARTS) return `The line has more than ${MAX_PARTS} names and values.`;
  const value = parseKeeping(text, kept);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : 'The line is not a JSON object.';
}

/**
 * Returns a body in another charset, or in UTF-16 with a byte order mark, as UTF-8, or a description of what is wrong
 * with it.
 */
function inUtf8(body: Buffer, charset: string | null): Buffer | string {
  const isMarked = body[0] === 0xff || body[0] === 0xfe;
  if (!isMarked && (charset === null || /^utf-?8$/i.test(charset))) return body;
  const decoded = decodeText(body, charset);
  return isDecoded(decoded) ? Buffer.from(decoded.text) : `The body ${decoded.problem}.`;
}

/** Parses bodies of newline-delimited JSON, on the routes that accept them. */
export function acceptLines(server: FastifyInstance): void {
  server.addContentTypeParser(NDJSON_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    if (!takesLines(request)) {
      done(new ServiceError('unsupported_media_type'));
      return;
    }
    const decoded = inUtf8(body as Buffer, charsetOf(request.headers['content-type'] ?? ''));
    if (typeof decoded === 'string') done(new ServiceError('bad_request', { message: decoded }));
    else done(null, decoded);
  });
}
