import { Module } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import { ConfigModule } from './platform/config/index.js';
import type { Config } from './platform/config/index.js';
import { CryptoModule } from './platform/crypto/index.js';
import { DatabaseModule } from './platform/database/index.js';
import { HttpModule } from './http/index.js';
import type { MethodsByPath } from './http/index.js';
import { LifecycleModule } from './platform/lifecycle/index.js';
import { LimitsModule } from './limits/index.js';
import { LoggingModule } from './platform/logging/index.js';
import type { ProgramLog } from './platform/logging/index.js';
import { MailModule } from './platform/mail/index.js';
import { MetricsModule } from './platform/metrics/index.js';
import { OutboundModule } from './platform/outbound/index.js';
import { QueueModule } from './platform/queue/index.js';
import { TracingModule } from './platform/tracing/index.js';
import type { Tracing } from './platform/tracing/index.js';
import { TenancyModule } from './tenancy/index.js';
import { AccessModule, ProjectAccessModule } from './access/index.js';
import { AuditModule, OrganizationAuditModule, ProjectAuditModule } from './audit/index.js';
import { OrganizationConsoleSessionsModule, ProjectConsoleSessionsModule } from './console-sessions/index.js';
import { CacheInvalidationModule } from './cache-invalidation/index.js';
import { HealthModule } from './health/index.js';
import { OrganizationProfileModule, ProjectProfileModule, MAIL_QUEUE } from './identity/index.js';
import { EndpointsModule, HooksModule, JobsModule, RUN_QUEUE } from './jobs/index.js';
import { KeysModule } from './keys/index.js';
import { OperatorOrganizationsModule, OrganizationTenancyModule, OrgsModule } from './orgs/index.js';
import { ProjectDirectoryModule, ProjectsModule } from './projects/index.js';
import { RolesModule } from './rbac/index.js';
import { SchedulerModule } from './scheduler/index.js';
import { VaultModule } from './vault/index.js';

/** What serves each profile: its identity endpoints, its tenants and tokens, and the guards. Nothing else differs. */
const PROFILES: Readonly<Record<Config['identity']['profile'], NonNullable<ModuleMetadata['imports']>>> = {
  organization: [
    OrganizationTenancyModule,
    OrganizationProfileModule.register(OrgsModule),
    OrgsModule,
    RolesModule.register(OrgsModule),
    OperatorOrganizationsModule,
    KeysModule,
    OrganizationAuditModule,
    OrganizationConsoleSessionsModule,
    AccessModule,
  ],
  project: [
    ProjectDirectoryModule,
    ProjectProfileModule,
    ProjectsModule,
    ProjectConsoleSessionsModule,
    ProjectAuditModule,
    ProjectAccessModule,
  ],
};

/** The whole program; the only file that knows every module. */
@Module({})
export class AppModule {
  static register(
    config: Config,
    log: ProgramLog,
    methodsByPath: MethodsByPath,
    tracing: Tracing,
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config),
        LoggingModule.register(log),
        HttpModule.register(methodsByPath),
        LifecycleModule,
        TenancyModule,
        MetricsModule,
        TracingModule.register(tracing),
        CryptoModule,
        DatabaseModule,
        QueueModule.register(RUN_QUEUE, MAIL_QUEUE),
        LimitsModule,
        OutboundModule,
        MailModule,
        AuditModule,
        VaultModule,
        CacheInvalidationModule,
        ...PROFILES[config.identity.profile],
        JobsModule,
        HooksModule,
        EndpointsModule,
        SchedulerModule,
        HealthModule,
      ],
    };
  }
}
