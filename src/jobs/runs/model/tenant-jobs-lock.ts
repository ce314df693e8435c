import { ADVISORY_LOCKS, rows } from '../../../platform/database/index.js';
import type { Tx } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';

/**
 * Waits for the other transactions that change the job definitions of the tenant or end many of its runs, and keeps them
 * waiting until this one ends. These lock jobs and runs in different orders, and would deadlock otherwise.
 */
export async function lockTenantJobs(tx: Tx, tenantId: TenantId): Promise<void> {
  await rows(tx, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [ADVISORY_LOCKS.tenantJobs, tenantId]);
}
