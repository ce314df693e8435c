import { Global, Module } from '@nestjs/common';
import { IdentityCoreModule, ImportTenants, ProjectNames, ProjectSigningKeys } from '../identity/index.js';
import { Tenancy } from '../tenancy/index.js';
import { ProjectJwksController } from './keys/project-jwks.controller.js';
import { ProjectKeys } from './keys/project-keys.js';
import { OperatorProjectsController } from './operator-projects.controller.js';
import { ProjectDirectory } from './project-directory.js';
import { ProjectHolders } from './project-holders.js';
import { ProjectImports } from './project-imports.js';
import { ProjectRemoval } from './project-removal.js';
import { ProjectTenancy } from './project-tenancy.js';
import { ProjectTokens } from './project-tokens.js';
import { ProjectRepository } from './project.repository.js';
import { Projects } from './projects.js';

/** Which projects there are, and their keys. Global, because the identity core uses them wherever it is imported. */
@Global()
@Module({
  providers: [
    ProjectDirectory,
    ProjectHolders,
    ProjectKeys,
    ProjectRepository,
    ProjectTokens,
    { provide: ImportTenants, useClass: ProjectImports },
    { provide: ProjectNames, useExisting: ProjectDirectory },
    { provide: ProjectSigningKeys, useExisting: ProjectKeys },
    { provide: Tenancy, useClass: ProjectTenancy },
  ],
  exports: [
    ImportTenants,
    ProjectDirectory,
    ProjectKeys,
    ProjectNames,
    ProjectRepository,
    ProjectSigningKeys,
    ProjectTokens,
    Tenancy,
  ],
})
export class ProjectDirectoryModule {}

/** The operator's endpoints of projects, and the projects' public keys. */
@Module({
  imports: [IdentityCoreModule],
  controllers: [OperatorProjectsController, ProjectJwksController],
  providers: [ProjectRemoval, Projects],
})
export class ProjectsModule {}
