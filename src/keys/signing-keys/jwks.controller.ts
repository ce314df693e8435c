import { Controller, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JWKS_MAX_AGE_SECS, JwksDto, SigningKeys } from '../../identity/index.js';
import { answerCacheable, Endpoint } from '../../platform/http/index.js';
import { Uncounted } from '../../platform/limits/index.js';

@ApiTags('Identity')
@Controller('auth/v1/keys')
export class JwksController {
  constructor(private readonly signingKeys: SigningKeys) {}

  /** Whoever verifies tokens needs it, also behind an address from which others flood; it comes from memory. */
  @Uncounted()
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'The `ETag` of an earlier answer; 304 if it is the one of now.',
  })
  @ApiResponse({ status: 304, description: 'The answer is the one with this `ETag`; no body.' })
  @Endpoint.get('', {
    access: 'public',
    summary: 'Public keys that verify access tokens',
    response: JwksDto,
  })
  show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): JwksDto | undefined {
    return answerCacheable(request, reply, this.signingKeys.jwks(), JWKS_MAX_AGE_SECS);
  }
}
