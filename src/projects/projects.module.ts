import { Module } from '@nestjs/common';
import { IdentityCoreModule } from '../identity/index.js';
import { OperatorProjectsController } from './operator-projects.controller.js';
import { ProjectKeySetController } from './project-key-set.controller.js';
import { ProjectRemoval } from './project-removal.js';
import { Projects } from './projects.js';

/** Projects as the operator keeps them, and their public keys. */
@Module({
  imports: [IdentityCoreModule],
  controllers: [OperatorProjectsController, ProjectKeySetController],
  providers: [ProjectRemoval, Projects],
})
export class ProjectsModule {}
