import { Module } from '@nestjs/common';
import { OperatorOrganizationsController } from './organizations/operator-organizations.controller.js';
import { OperatorOrganizations } from './organizations/operator-organizations.js';
import { OrgsModule } from './orgs.module.js';

/** What the operator of the deployment sees of organizations, and makes. */
@Module({
  imports: [OrgsModule],
  controllers: [OperatorOrganizationsController],
  providers: [OperatorOrganizations],
})
export class OperatorOrganizationsModule {}
