import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';

/** The audit trail of an organization, for its members. */
@Module({ controllers: [AuditController] })
export class OrganizationAuditModule {}
