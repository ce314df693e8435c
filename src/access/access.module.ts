import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { IdentityCoreModule, SigningKeysModule } from '../identity/index.js';
import { JobsModule } from '../jobs/index.js';
import { KeysModule } from '../keys/index.js';
import { OrgsModule } from '../orgs/index.js';
import { ApiProfile } from '../platform/http/index.js';
import { AccessWatch } from './access-watch.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { OperatorGuard } from './operator.guard.js';
import { OrganizationApi } from './organization-api.js';
import { PermissionChecksController } from './permission-checks.controller.js';
import { PermissionGuard } from './permission.guard.js';
import { RunTokenBounds } from './run-token-bounds.js';
import { ProvenAddressGuard } from './proven-address.guard.js';
import { StandingAccessGuard, standingGuards } from './standing-access.guard.js';
import { TenantGuard } from './tenant.guard.js';
import { UnauthenticatedRequests } from './unauthenticated-requests.js';

/** Every request passes these, in this order: who is calling, in which organization, with what permission. */
@Module({
  imports: [PassportModule, IdentityCoreModule, SigningKeysModule, JobsModule, KeysModule, OrgsModule],
  controllers: [PermissionChecksController],
  providers: [
    AccessWatch,
    BearerStrategy,
    RunTokenBounds,
    UnauthenticatedRequests,
    AuthenticationGuard,
    TenantGuard,
    PermissionGuard,
    ProvenAddressGuard,
    standingGuards(AuthenticationGuard, ProvenAddressGuard, TenantGuard),
    { provide: ApiProfile, useClass: OrganizationApi },
    { provide: APP_GUARD, useClass: OperatorGuard },
    { provide: APP_GUARD, useExisting: AuthenticationGuard },
    { provide: APP_GUARD, useExisting: ProvenAddressGuard },
    { provide: APP_GUARD, useExisting: TenantGuard },
    { provide: APP_GUARD, useExisting: PermissionGuard },
    { provide: APP_GUARD, useClass: StandingAccessGuard },
  ],
})
export class AccessModule {}
