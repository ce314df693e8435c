import { Global, Module } from '@nestjs/common';
import { AccessTokenSigner, ProjectNames, RunTokenIssuer } from '../../identity/index.js';
import { Tenancy } from '../../platform/tenancy/index.js';
import { ProjectDirectory } from '../project-directory.js';
import { ProjectKeys } from '../keys/project-keys.js';
import { ProjectRunTokens } from './project-run-tokens.js';
import { ProjectTenancy } from '../project-tenancy.js';
import { ProjectTokens } from './project-tokens.js';
import { ProjectRepository } from '../project.repository.js';

/** Which projects there are, and their tokens; global, because the identity core asks for a signer wherever it is used. */
@Global()
@Module({
  providers: [
    ProjectDirectory,
    ProjectKeys,
    ProjectRepository,
    ProjectTokens,
    { provide: AccessTokenSigner, useExisting: ProjectTokens },
    { provide: RunTokenIssuer, useClass: ProjectRunTokens },
    { provide: ProjectNames, useExisting: ProjectDirectory },
    { provide: Tenancy, useClass: ProjectTenancy },
  ],
  exports: [
    AccessTokenSigner,
    ProjectDirectory,
    ProjectKeys,
    ProjectNames,
    ProjectRepository,
    ProjectTokens,
    RunTokenIssuer,
    Tenancy,
  ],
})
export class ProjectTokensModule {}
