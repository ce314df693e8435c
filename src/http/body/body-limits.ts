import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors/service-error.js';
import { RouteConfig } from '@nestjs/platform-fastify';

/** The configured limits of bodies, in bytes. */
export interface BodyLimits {
  /** For a body that becomes a run's payload. */
  readonly payloadBytes: number;
  /** For any other body. */
  readonly otherBytes: number;
}

/** What a body carries, for routes that need more than the fields of an ordinary request. */
export type BodyKind =
  'form' | 'document' | 'filter' | 'manifest' | 'metadata' | 'payload' | 'payloads' | 'result' | 'value';

/** The members that are kept as the client wrote them, by the kind of the body. */
export const KEPT_MEMBERS: ReadonlyMap<BodyKind | undefined, string> = new Map([
  ['filter', 'payload'],
  ['manifest', 'payload'],
  ['metadata', 'metadata'],
]);

interface SizedRouteConfig {
  readonly bodyKind?: BodyKind;
}

const KIB = 1024;

/** In bytes. The configured limits apply as well. */
const LIMITS: Readonly<Record<Exclude<BodyKind, 'manifest' | 'payload' | 'payloads'> | 'ordinary', number>> =
  {
    ordinary: 64 * KIB,
    filter: 64 * KIB,
    metadata: 64 * KIB,
    /** A page of this program sends a token and a password. */
    form: 16 * KIB,
    /** A mail template, a secret of 64 KiB with every third character escaped, or lines of a log. */
    document: 256 * KIB,
    /** A result of 64 KiB, and its name. */
    result: 65 * KIB,
    /** A step's value of 256 KiB, and its name. */
    value: 257 * KIB,
  };

/** Lets a route take larger bodies than the 64 KiB of others. */
export function TakesBody(kind: Exclude<BodyKind, 'form'>): MethodDecorator {
  return RouteConfig({ bodyKind: kind } satisfies SizedRouteConfig);
}

function limitOf(kind: BodyKind | undefined, { payloadBytes, otherBytes }: BodyLimits): number {
  if (kind === 'payload') return payloadBytes;
  if (kind === 'payloads') return Math.max(payloadBytes, otherBytes);
  return kind === 'manifest' ? otherBytes : Math.min(LIMITS[kind ?? 'ordinary'], otherBytes);
}

/** The limit for requests that match no route. */
export function ordinaryLimit(limits: BodyLimits): number {
  return limitOf(undefined, limits);
}

/** Limits the body of each route that is registered from here on, before it is read into memory. */
export function limitBodies(server: FastifyInstance, limits: BodyLimits): void {
  server.addHook('onRoute', (route) => {
    route.bodyLimit ??= limitOf(bodyKindOf(route.config ?? {}), limits);
  });
}

export function bodyKindOf(config: object): BodyKind | undefined {
  return (config as SizedRouteConfig).bodyKind;
}

/** Refuses compressed bodies, which would be read as malformed JSON: 415 (RFC 9110, section 15.5.16). */
export function refuseEncodedBodies(server: FastifyInstance): void {
  server.addHook('preParsing', ({ headers }, _reply, _payload, done) => {
    const encoding = headers['content-encoding'] ?? '';
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody || encoding === '' || encoding.toLowerCase() === 'identity') {
      done();
      return;
    }
    done(
      new ServiceError('unsupported_media_type', {
        message: 'The body must not be compressed.',
        hint: 'Send it without Content-Encoding.',
      }),
    );
  });
}
