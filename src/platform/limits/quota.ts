import type { Config } from '../config/index.js';
import { ServiceError } from '../http/index.js';

/** What an account or a tenant may have only so many of, and the setting in `[limits]` that says how many. */
const SETTINGS = {
  organizationsPerAccount: 'organizations_per_account',
  membershipsPerAccount: 'memberships_per_account',
  membersPerOrganization: 'members_per_organization',
  pendingInvitations: 'pending_invitations',
  roles: 'roles',
  apiKeys: 'api_keys',
  formerSlugs: 'former_slugs',
  jobs: 'jobs',
  waitingRuns: 'waiting_runs',
  waitingPayloadBytes: 'waiting_payload_bytes',
  secrets: 'secrets',
} as const satisfies Partial<Record<keyof Config['limits'], string>>;

export type Quota = keyof typeof SETTINGS;

/** The refusal of more than a quota allows. The hint names the setting, for whoever may raise it. */
export function limitReached(limits: Config['limits'], quota: Quota): ServiceError {
  return new ServiceError('limit_reached', { hint: `limits.${SETTINGS[quota]} is ${limits[quota]}.` });
}

/**
 * Demands room for one more.
 * @param present how many there are; asked only where there is a limit, and to be asked under a lock that keeps
 *   anybody else from adding one until the transaction ends
 * @throws limit_reached
 */
export async function requireQuota(
  limits: Config['limits'],
  quota: Quota,
  present: () => Promise<number>,
): Promise<void> {
  if (limits[quota] > 0 && (await present()) >= limits[quota]) throw limitReached(limits, quota);
}
