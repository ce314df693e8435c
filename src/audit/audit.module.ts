import { Global, Module } from '@nestjs/common';
import { AuditEntryRepository } from './audit-entry.repository.js';
import { AuditTrail } from './audit-trail.js';
import { AuditController } from './audit.controller.js';

@Global()
@Module({
  controllers: [AuditController],
  providers: [AuditTrail, AuditEntryRepository],
  exports: [AuditTrail, AuditEntryRepository],
})
export class AuditModule {}
