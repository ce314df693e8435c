import { Global, Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { makeCounterProvider } from '@willsoto/nestjs-prometheus';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import { AuditEntryRepository } from './audit-entry.repository.js';
import { AuditTrail } from './audit-trail.js';
import { AuthMetrics, AUTH_EVENTS } from './auth-metrics.js';
import { AuditRetention } from './chains/audit-retention.js';
import { RefusalCounter } from './refusals/refusal-counter.js';
import { RefusalEntries } from './refusals/refusal-entries.js';
import { AuditVerifications } from './chains/audit-verifications.js';
import { AuditVerifier } from './chains/audit-verifier.js';
import { AuditExport } from './reading/audit-export.js';
import { AuditNames } from './reading/audit-names.js';
import { AuditReading } from './reading/audit-reading.js';
import { AuditSearch } from './reading/audit-search.js';
import { OperatorAuditController } from './reading/operator-audit.controller.js';
import { OrganizationAuditController } from './reading/organization-audit.controller.js';
import { ProjectAuditController } from './reading/project-audit.controller.js';
import { SignInCounts } from './sign-ins/sign-in-counts.js';
import { SignInStats } from './sign-ins/sign-in-stats.js';
import { SignInStatsController } from './sign-ins/sign-in-stats.controller.js';

@Global()
@Module({
  controllers: [OperatorAuditController, SignInStatsController],
  providers: [
    AuditTrail,
    AuditEntryRepository,
    AuditExport,
    AuditNames,
    AuditReading,
    AuditRetention,
    AuditSearch,
    AuditVerifications,
    AuditVerifier,
    RefusalCounter,
    RefusalEntries,
    SignInCounts,
    SignInStats,
    makeCounterProvider({
      name: AUTH_EVENTS,
      help: 'Authentication events by kind and outcome.',
      labelNames: ['event', 'outcome'],
    }),
    AuthMetrics,
  ],
  exports: [AuditTrail, AuditEntryRepository, AuditNames, AuditReading, AuditVerifications, AuthMetrics],
})
export class AuditModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly backgroundServices: BackgroundServices,
    private readonly refusals: RefusalEntries,
    private readonly retention: AuditRetention,
    private readonly signIns: SignInStats,
  ) {}

  onModuleInit(): void {
    if (this.config.roles.has('api')) this.backgroundServices.register(this.signIns);
    if (!this.config.roles.has('scheduler')) return;
    this.backgroundServices.register(this.refusals);
    this.backgroundServices.register(this.retention);
  }
}

/** The audit trail of an organization, for its members. */
@Module({ controllers: [OrganizationAuditController] })
export class OrganizationAuditModule {}

/** The audit trail of a project, for holders of its service key. */
@Module({ controllers: [ProjectAuditController] })
export class ProjectAuditModule {}
