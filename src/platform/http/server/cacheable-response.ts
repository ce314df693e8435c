import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../../crypto/index.js';

/** Weak comparison with a list of tags or `*` (RFC 9110, section 13.1.2): a proxy that compresses weakens the tag. */
function isNamedIn(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** Answers with what anyone may keep for `maxAgeSecs`: the body, or 304 to who has it already. */
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
