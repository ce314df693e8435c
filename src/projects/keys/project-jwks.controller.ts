import { Controller, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiQuery, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { JWKS_MAX_AGE_SECS, JwksDto } from '../../identity/index.js';
import { answerCacheable, Endpoint, PROJECT_KEY_SECURITY, ServiceError } from '../../platform/http/index.js';
import type { ServiceRequest } from '../../platform/http/index.js';
import { Uncounted } from '../../platform/limits/index.js';
import { ProjectDirectory } from '../project-directory.js';
import { ProjectKeys } from './project-keys.js';

@ApiTags('Identity')
@Controller('auth/v1/keys')
export class ProjectJwksController {
  constructor(
    private readonly directory: ProjectDirectory,
    private readonly keys: ProjectKeys,
  ) {}

  /** Whoever verifies tokens needs it, also behind an address from which others flood; it comes from memory. */
  @Uncounted()
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'The `ETag` of an earlier answer; 304 if it is the one of now.',
  })
  @ApiResponse({ status: 304, description: 'The answer is the one with this `ETag`; no body.' })
  @Endpoint.get('', {
    access: 'optional',
    summary: "Public key that verifies the project's tokens",
    response: JwksDto,
    errors: ['project_required', 'project_mismatch', 'project_not_found'],
  })
  @ApiSecurity(PROJECT_KEY_SECURITY)
  @ApiQuery({
    name: 'ref',
    type: String,
    required: false,
    description: 'Names the project to who calls no host of it.',
  })
  async show(
    @Query('ref') named: unknown,
    @Req() request: ServiceRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JwksDto | undefined> {
    const { publicJwk } = await this.keys.of(await this.refOf(named, request));
    // Which project it is may lie in a header, and a cache must not give it to another project's callers.
    void reply.header('Vary', 'Host, Authorization, apikey');
    return answerCacheable(request, reply, { keys: [publicJwk] }, JWKS_MAX_AGE_SECS);
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
