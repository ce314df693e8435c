import type { Config } from '../platform/config/index.js';
import { ServiceError } from '../http/index.js';

/** What an account or a tenant may have only a limited number of, and the setting in `[limits]` for each. */
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

/** The refusal when a quota is reached. The hint names the setting, for those who may raise it. */
export function limitReached(limits: Config['limits'], quota: Quota): ServiceError {
  return new ServiceError('limit_reached', { hint: `limits.${SETTINGS[quota]} is ${limits[quota]}.` });
}

/**
 * Requires that the quota allows one more.
 * @param present counts what exists; called only when there is a limit. The caller holds a lock that keeps others
 *   from adding one until the transaction ends
 * @throws limit_reached
 */
export async function requireQuota(
  limits: Config['limits'],
  quota: Quota,
  present: () => Promise<number>,
): Promise<void> {
  if (limits[quota] > 0 && (await present()) >= limits[quota]) throw limitReached(limits, quota);
}
