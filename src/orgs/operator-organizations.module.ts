import { Module } from '@nestjs/common';
import { OperatorOrganizationsController } from './operator-organizations.controller.js';
import { OperatorOrganizations } from './operator-organizations.js';

/** What the operator of the deployment sees of organizations. */
@Module({ controllers: [OperatorOrganizationsController], providers: [OperatorOrganizations] })
export class OperatorOrganizationsModule {}
