import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IdentityCoreModule } from '../../identity/index.js';
import { JobsModule } from '../../jobs/index.js';
import { ApiProfile } from '../../http/index.js';
import { AccessWatch } from '../revalidation/access-watch.js';
import { OperatorCredentials } from '../credentials/operator-credentials.js';
import { OperatorGuard } from '../guards/operator.guard.js';
import { PermissionGuard } from '../guards/permission.guard.js';
import { RunTokenBounds } from '../credentials/run-token-bounds.js';
import { ProvenAddressGuard } from '../guards/proven-address.guard.js';
import { AccessRevalidationGuard, revalidatingGuards } from '../guards/access-revalidation.guard.js';
import { UnauthenticatedRequests } from '../credentials/unauthenticated-requests.js';
import { ActingOperators } from './acting-operators.js';
import { PresentedTokens } from './presented-tokens.js';
import { ProjectApi } from './project-api.js';
import { ProjectGuard } from './project.guard.js';

/**
 * The guards of every request in the project profile: for which project it is, who is calling, with what permission.
 */
@Module({
  imports: [IdentityCoreModule, JobsModule],
  providers: [
    AccessWatch,
    ActingOperators,
    PresentedTokens,
    OperatorCredentials,
    RunTokenBounds,
    UnauthenticatedRequests,
    ProjectGuard,
    PermissionGuard,
    ProvenAddressGuard,
    revalidatingGuards(ProjectGuard, ProvenAddressGuard),
    { provide: ApiProfile, useClass: ProjectApi },
    { provide: APP_GUARD, useClass: OperatorGuard },
    { provide: APP_GUARD, useExisting: ProjectGuard },
    { provide: APP_GUARD, useExisting: ProvenAddressGuard },
    { provide: APP_GUARD, useExisting: PermissionGuard },
    { provide: APP_GUARD, useClass: AccessRevalidationGuard },
  ],
})
export class ProjectAccessModule {}
