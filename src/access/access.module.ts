import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { IdentityCoreModule, OperatorTokens, SigningKeysModule } from '../identity/index.js';
import { JobsModule } from '../jobs/index.js';
import { KeysModule } from '../keys/index.js';
import { OrgsModule } from '../orgs/index.js';
import { ApiProfile } from '../http/index.js';
import { AccessWatch } from './revalidation/access-watch.js';
import { AuthenticationGuard } from './guards/authentication.guard.js';
import { AccountOperatorTokens } from './credentials/account-operator-tokens.js';
import { BearerStrategy } from './credentials/bearer.strategy.js';
import { OperatorCredentials } from './credentials/operator-credentials.js';
import { OperatorGuard } from './guards/operator.guard.js';
import { OrganizationApi } from './organization-api.js';
import { GateController } from './permissions/gate.controller.js';
import { PermissionChecksController } from './permissions/permission-checks.controller.js';
import { PermissionGuard } from './guards/permission.guard.js';
import { RunTokenBounds } from './credentials/run-token-bounds.js';
import { ProvenAddressGuard } from './guards/proven-address.guard.js';
import { AccessRevalidationGuard, revalidatingGuards } from './guards/access-revalidation.guard.js';
import { TenantGuard } from './guards/tenant.guard.js';
import { UnauthenticatedRequests } from './credentials/unauthenticated-requests.js';
import { VerifiedBearers } from './credentials/verified-bearers.js';

/** The guards of every request, in this order: who is calling, in which organization, with what permission. */
@Module({
  imports: [PassportModule, IdentityCoreModule, SigningKeysModule, JobsModule, KeysModule, OrgsModule],
  controllers: [GateController, PermissionChecksController],
  providers: [
    AccessWatch,
    BearerStrategy,
    OperatorCredentials,
    RunTokenBounds,
    UnauthenticatedRequests,
    VerifiedBearers,
    AuthenticationGuard,
    TenantGuard,
    PermissionGuard,
    ProvenAddressGuard,
    revalidatingGuards(AuthenticationGuard, ProvenAddressGuard, TenantGuard),
    { provide: ApiProfile, useClass: OrganizationApi },
    { provide: OperatorTokens, useClass: AccountOperatorTokens },
    { provide: APP_GUARD, useClass: OperatorGuard },
    { provide: APP_GUARD, useExisting: AuthenticationGuard },
    { provide: APP_GUARD, useExisting: ProvenAddressGuard },
    { provide: APP_GUARD, useExisting: TenantGuard },
    { provide: APP_GUARD, useExisting: PermissionGuard },
    { provide: APP_GUARD, useClass: AccessRevalidationGuard },
  ],
})
export class AccessModule {}
