import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IdentityCoreModule } from '../../identity/index.js';
import { JobsModule } from '../../jobs/index.js';
import { ApiProfile } from '../../platform/http/index.js';
import { AccessWatch } from '../access-watch.js';
import { OperatorGuard } from '../operator.guard.js';
import { PermissionGuard } from '../permission.guard.js';
import { RunTokenBounds } from '../run-token-bounds.js';
import { ProvenAddressGuard } from '../proven-address.guard.js';
import { StandingAccessGuard, standingGuards } from '../standing-access.guard.js';
import { UnauthenticatedRequests } from '../unauthenticated-requests.js';
import { PresentedTokens } from './presented-tokens.js';
import { ProjectApi } from './project-api.js';
import { ProjectGuard } from './project.guard.js';

/** In the project profile every request passes these: for which project it is and who is calling, with what permission. */
@Module({
  imports: [IdentityCoreModule, JobsModule],
  providers: [
    AccessWatch,
    PresentedTokens,
    RunTokenBounds,
    UnauthenticatedRequests,
    ProjectGuard,
    PermissionGuard,
    ProvenAddressGuard,
    standingGuards(ProjectGuard, ProvenAddressGuard),
    { provide: ApiProfile, useClass: ProjectApi },
    { provide: APP_GUARD, useClass: OperatorGuard },
    { provide: APP_GUARD, useExisting: ProjectGuard },
    { provide: APP_GUARD, useExisting: ProvenAddressGuard },
    { provide: APP_GUARD, useExisting: PermissionGuard },
    { provide: APP_GUARD, useClass: StandingAccessGuard },
  ],
})
export class ProjectAccessModule {}
