import { Controller, Inject, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ACCESS_TOKEN_ALGORITHM,
  DISCOVERY_MAX_AGE_SECS,
  DiscoveryDto,
  discoveryOf,
  JWKS_MAX_AGE_SECS,
  JwksDto,
  SigningKeys,
} from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { answerCacheable, Endpoint, PublicUrl, ShowsCacheable } from '../../http/index.js';
import { Uncounted } from '../../limits/index.js';

/**
 * What verifiers of access tokens need. It comes from memory and is exempt from rate limits, so that verifiers get it
 * even if others flood from the same address.
 */
@ApiTags('Identity')
@Controller()
export class JwksController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly signingKeys: SigningKeys,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Uncounted()
  @ShowsCacheable()
  @Endpoint.get('auth/v1/keys', {
    access: 'public',
    ignoresUnread: true,
    summary: 'Public keys that verify access tokens',
    response: JwksDto,
  })
  show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): JwksDto | undefined {
    return answerCacheable(request, reply, this.signingKeys.jwks(), JWKS_MAX_AGE_SECS);
  }

  @Uncounted()
  @ShowsCacheable()
  @Endpoint.get('.well-known/jwks.json', {
    access: 'public',
    ignoresUnread: true,
    summary: 'Public keys that verify access tokens, where verifiers look for them',
    description: 'The same as `GET /auth/v1/keys`.',
    response: JwksDto,
  })
  showWellKnown(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): JwksDto | undefined {
    return this.show(request, reply);
  }

  @Uncounted()
  @ShowsCacheable()
  @Endpoint.get('.well-known/openid-configuration', {
    access: 'public',
    ignoresUnread: true,
    summary: 'Who issues access tokens, and where their keys are',
    description:
      'For verifiers that find keys by OpenID Connect Discovery or RFC 8414. They require that the issuer is the URL ' +
      'before `/.well-known`: set `identity.jwt_issuer` and `identity.public_url` to it.',
    response: DiscoveryDto,
  })
  discover(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): DiscoveryDto | undefined {
    const { jwtIssuer } = this.config.identity;
    const document = discoveryOf(
      jwtIssuer,
      this.publicUrl.base,
      '/.well-known/jwks.json',
      ACCESS_TOKEN_ALGORITHM,
    );
    return answerCacheable(request, reply, document, DISCOVERY_MAX_AGE_SECS);
  }
}
