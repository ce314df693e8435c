import type { IdentityProfile } from '../sessions/identity-profile.js';
import { OrganizationIdentityProfile } from './organization/index.js';
import { ProjectIdentityProfile } from './project/index.js';

/** What each profile decides for the core, by its name in `identity.profile`. */
export const PROFILE_CONTRACTS: Readonly<Record<'organization' | 'project', IdentityProfile>> = {
  organization: new OrganizationIdentityProfile(),
  project: new ProjectIdentityProfile(),
};
