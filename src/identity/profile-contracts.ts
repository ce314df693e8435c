import type { IdentityProfile } from './core/index.js';
import { OrganizationIdentityProfile } from './profiles/organization/index.js';
import { ProjectIdentityProfile } from './profiles/project/index.js';

/** What each profile decides for the core, by its name in `identity.profile`. */
export const PROFILE_CONTRACTS: Readonly<Record<'organization' | 'project', IdentityProfile>> = {
  organization: new OrganizationIdentityProfile(),
  project: new ProjectIdentityProfile(),
};
