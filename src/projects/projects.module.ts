import { Module } from '@nestjs/common';
import { IdentityCoreModule } from '../identity/index.js';
import { OperatorProjectsController } from './operator-projects.controller.js';
import { ProjectJwksController } from './keys/project-jwks.controller.js';
import { ProjectRemoval } from './project-removal.js';
import { Projects } from './projects.js';

/** Projects as the operator keeps them, and their public keys. */
@Module({
  imports: [IdentityCoreModule],
  controllers: [OperatorProjectsController, ProjectJwksController],
  providers: [ProjectRemoval, Projects],
})
export class ProjectsModule {}
