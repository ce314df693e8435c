import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../../platform/crypto/index.js';

/**
 * Compares weakly with a list of tags or `*` (RFC 9110, section 13.1.2), since a proxy that compresses weakens the tag.
 */
function isNamedIn(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** Documents in OpenAPI that a route uses `answerCacheable`. */
export function ShowsCacheable(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The `ETag` of an earlier answer; 304 if it is the one of now.',
    }),
    ApiResponse({ status: 304, description: 'The answer is the one with this `ETag`; no body.' }),
  );
}

/** Sends what anyone may cache for `maxAgeSecs`: the body, or 304 to a client that has it already. */
export function answerCacheable<Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  maxAgeSecs: number,
): Body | undefined {
  const etag = `"${sha256(JSON.stringify(body)).toString('base64url').slice(0, 22)}"`;
  void reply.headers({ 'Cache-Control': `public, max-age=${maxAgeSecs}`, ETag: etag });
  if (!isNamedIn(request.headers['if-none-match'], etag)) return body;
  void reply.status(304);
  return undefined;
}
