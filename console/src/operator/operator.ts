import { createClient, MemoryStorage } from '@service/client';
import type { OrganizationClient, ProjectClient } from '@service/client';
import { createContext, useContext } from 'react';
import { here } from '../session/here.js';
import { session } from '../session/session.js';
import { personal } from '../tenant/tenant.js';

type OrganizationAdmin = OrganizationClient['admin'];
type ProjectAdmin = ProjectClient['admin'];

/** An operator, and what they may do to the deployment. */
export interface Operator {
  readonly profile: 'organization' | 'project';
  /** What deployments of both profiles have. Of users, projects have the import alone. */
  readonly client: Pick<OrganizationAdmin, Exclude<keyof OrganizationAdmin & keyof ProjectAdmin, 'users'>>;
  /** Null in the other profile. */
  readonly organization: OrganizationAdmin | null;
  readonly project: ProjectAdmin | null;
  readonly isReadOnly: boolean;
  /** Where the pages are. */
  readonly path: typeof DEPLOYMENT_PATH;
}

export const DEPLOYMENT_PATH = '/operator';

const { admin: ofProjects, auth } = createClient({
  ...here,
  profile: 'project',
  credential: session.token,
  storage: new MemoryStorage(),
});

/** The operator's own account, where users belong to projects. */
export const operatorAccount: Pick<ProjectClient['auth'], 'revokeOtherSessions'> = auth;

const OperatorContext = createContext<Operator | null>(null);
export const OperatorProvider = OperatorContext.Provider;

export function useOperator(): Operator {
  const operator = useContext(OperatorContext);
  if (operator === null) throw new Error('this page is of the deployment');
  return operator;
}

export function useOperatorOrNone(): Operator | null {
  return useContext(OperatorContext);
}

export function operatorOf(profile: Operator['profile'], access: 'full' | 'read_only'): Operator {
  const shared = { profile, isReadOnly: access === 'read_only', path: DEPLOYMENT_PATH } as const;
  return profile === 'project'
    ? { ...shared, client: ofProjects, organization: null, project: ofProjects }
    : { ...shared, client: personal.admin, organization: personal.admin, project: null };
}
