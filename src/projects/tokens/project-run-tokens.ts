import { Injectable } from '@nestjs/common';
import { RUN_TOKEN_TYPE, RunTokenIssuer, SERVICE_ROLE } from '../../identity/index.js';
import type { RunTokenSubject } from '../../identity/index.js';
import { newId } from '../../platform/crypto/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { ProjectDirectory } from '../project-directory.js';
import { ProjectTokens } from './project-tokens.js';

/** The tokens of handlers, signed with the key of their run's project. */
@Injectable()
export class ProjectRunTokens extends RunTokenIssuer {
  constructor(
    private readonly directory: ProjectDirectory,
    private readonly tokens: ProjectTokens,
    private readonly clock: Clock,
  ) {
    super();
  }

  async issue({ runId, attempt, tenantId }: RunTokenSubject, lifeMs: number): Promise<string> {
    const project = await this.directory.findById(tenantId);
    if (project === null) throw new Error(`the project ${tenantId} of ${runId} does not exist`);
    const nowMs = this.clock.now().getTime();
    return await this.tokens.sign(project.ref, RUN_TOKEN_TYPE, {
      role: SERVICE_ROLE,
      run_id: runId,
      attempt,
      jti: newId(),
      iat: Math.floor(nowMs / 1000),
      exp: Math.ceil((nowMs + lifeMs) / 1000),
    });
  }
}
