import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { EndpointOptions, ResolvedProject, ServiceRequest } from '../../http/index.js';
import { DEPLOYMENT_REALM } from '../users/user.repository.js';
import type { RealmId } from '../users/user.repository.js';

/** Who calls the routes by which users manage their own accounts; a profile says it. */
export type OwnAccountAccess = Pick<EndpointOptions, 'access' | 'ownAccount' | 'isForOperatorsToo'>;

/** In a project, an address names one account of that project. */
export function realmOf(project: ResolvedProject): RealmId {
  return project.id as string as RealmId;
}

/** The accounts that a request is about: those of its project, or else those of the deployment. */
export const CurrentRealm = createParamDecorator((_: unknown, context: ExecutionContext): RealmId => {
  const { project } = context.switchToHttp().getRequest<ServiceRequest>();
  return project === undefined ? DEPLOYMENT_REALM : realmOf(project);
});
