import { applyDecorators, Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiQuery, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  DISCOVERY_MAX_AGE_SECS,
  DiscoveryDto,
  discoveryOf,
  JWKS_MAX_AGE_SECS,
  JwksDto,
  PROJECT_TOKEN_ALGORITHM,
} from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import {
  answerCacheable,
  Endpoint,
  PROJECT_KEY_SECURITY,
  PublicUrl,
  ServiceError,
  ShowsCacheable,
} from '../../http/index.js';
import type { ServiceRequest } from '../../http/index.js';
import { Uncounted } from '../../limits/index.js';
import { ProjectDirectory } from '../project-directory.js';
import { ProjectKeys } from './project-keys.js';

/**
 * The public data of a project. It comes from memory and is exempt from rate limits, so that verifiers get it even if
 * others flood from the same address.
 */
function OfProject(path: string, response: Type, summary: string, description?: string): MethodDecorator {
  return applyDecorators(
    Uncounted(),
    ShowsCacheable(),
    ApiSecurity(PROJECT_KEY_SECURITY),
    Endpoint.get(path, {
      access: 'optional',
      ignoresUnread: true,
      summary,
      ...(description === undefined ? {} : { description }),
      response,
      errors: ['project_required', 'project_mismatch', 'project_not_found'],
    }),
    ApiQuery({
      name: 'ref',
      type: String,
      required: false,
      description: 'Names the project, for callers that use none of its hosts.',
    }),
  );
}

@ApiTags('Identity')
@Controller()
export class ProjectJwksController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly directory: ProjectDirectory,
    private readonly keys: ProjectKeys,
    private readonly publicUrl: PublicUrl,
  ) {}

  @OfProject('auth/v1/keys', JwksDto, "Public key that verifies the project's tokens")
  async show(
    @Query('ref') named: unknown,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JwksDto | undefined> {
    const { publicJwk } = await this.keys.of(await this.refOf(named, request));
    return answerOfProject(request, reply, { keys: [publicJwk] }, JWKS_MAX_AGE_SECS);
  }

  @OfProject(
    '.well-known/jwks.json',
    JwksDto,
    "Public key that verifies the project's tokens, where verifiers look for it",
    'The same as `GET /auth/v1/keys`.',
  )
  async showWellKnown(
    @Query('ref') named: unknown,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JwksDto | undefined> {
    return await this.show(named, request, reply);
  }

  @OfProject(
    '.well-known/openid-configuration',
    DiscoveryDto,
    "Who issues the project's access tokens, and where their key is",
    'For verifiers that find keys by OpenID Connect Discovery or RFC 8414. They require that the issuer is the URL before ' +
      '`/.well-known`. All projects have the issuer `identity.jwt_issuer`, so it is that of one host at most.',
  )
  async discover(
    @Query('ref') named: unknown,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DiscoveryDto | undefined> {
    const jwks = `/.well-known/jwks.json?ref=${await this.refOf(named, request)}`;
    const { jwtIssuer } = this.config.identity;
    const document = discoveryOf(jwtIssuer, this.publicUrl.base, jwks, PROJECT_TOKEN_ALGORITHM);
    return answerOfProject(request, reply, document, DISCOVERY_MAX_AGE_SECS);
  }

  private async refOf(named: unknown, { project: resolved }: ServiceRequest): Promise<string> {
    if (named === undefined) {
      if (resolved === undefined) throw new ServiceError('project_required', { hint: 'Or name it: ?ref=…' });
      return resolved.ref;
    }
    const project = typeof named === 'string' ? await this.directory.findByRef(named) : null;
    if (project === null) throw new ServiceError('project_not_found');
    if (resolved !== undefined && resolved.id !== project.id) throw new ServiceError('project_mismatch');
    return project.ref;
  }
}

/** The project may be named by a header, so a cache must not serve the response to callers of another project. */
function answerOfProject<Body>(
  request: ServiceRequest,
  reply: FastifyReply,
  body: Body,
  maxAgeSecs: number,
): Body | undefined {
  void reply.header('Vary', 'Host, Authorization, apikey');
  return answerCacheable(request, reply, body, maxAgeSecs);
}
