import { Controller, Req, Res } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonWebKey } from 'node:crypto';
import { SigningKeys } from '../identity/index.js';
import { sha256 } from '../platform/crypto/index.js';
import { Endpoint } from '../platform/http/index.js';

export class KeySetDto {
  @ApiProperty({ type: [Object], description: 'Public keys (RFC 7517).' })
  keys!: JsonWebKey[];
}

/** Clients cache the key set this long; a key is published well before it signs. */
const MAX_AGE_SECS = 300;

/** Weak comparison with a list of tags or `*` (RFC 9110, section 13.1.2): a proxy that compresses weakens the tag. */
function isNamedIn(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

@ApiTags('Identity')
@Controller('auth/v1/keys')
export class KeySetController {
  constructor(private readonly signingKeys: SigningKeys) {}

  @Endpoint.get('', {
    access: 'public',
    summary: 'Public keys that verify access tokens',
    response: KeySetDto,
  })
  show(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): KeySetDto | undefined {
    const keySet = this.signingKeys.keySet();
    const etag = `"${sha256(JSON.stringify(keySet)).toString('base64url').slice(0, 22)}"`;
    void reply.headers({ 'Cache-Control': `public, max-age=${MAX_AGE_SECS}`, ETag: etag });
    if (!isNamedIn(request.headers['if-none-match'], etag)) return keySet;
    void reply.status(304);
    return undefined;
  }
}
