import { Global, Module } from '@nestjs/common';
import { AuditEntryRepository } from './audit-entry.repository.js';
import { AuditTrail } from './audit-trail.js';

@Global()
@Module({
  providers: [AuditTrail, AuditEntryRepository],
  exports: [AuditTrail, AuditEntryRepository],
})
export class AuditModule {}
