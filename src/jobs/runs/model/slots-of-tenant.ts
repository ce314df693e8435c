/**
 * In SQL: how many runs of a tenant all living workers together may execute, given the limit per tenant and the share
 * of each worker's slots.
 *
 * @param deadAfterMs the time without a heartbeat after which a worker no longer counts, a parameter
 * @param deferred how many runs of the tenant have a deferred attempt: they count as running, but use no worker's slot
 */
export function slotsOfTenant(cap: string, deadAfterMs: string, deferred = '0'): string {
  return `least(${cap}, ${deferred} + coalesce((
    SELECT sum(tenant_slots) FROM workers
    WHERE heartbeat_at > now() - make_interval(secs => (SELECT ${deadAfterMs}::float8) / 1000)
  ), ${cap}))::int`;
}
