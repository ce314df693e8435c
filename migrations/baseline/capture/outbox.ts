/** How the functions name what their trigger was made with. */
export interface Names {
  readonly schema: string;
  readonly table: string;
  readonly tenantColumn: string;
  readonly event: string;
}

export const IN_FUNCTION: Names = {
  schema: 'TG_ARGV[0]',
  table: 'TG_ARGV[1]',
  tenantColumn: 'TG_ARGV[2]',
  event: 'captured_event',
};
/** In a statement that is put together when it runs. */
export const IN_TEXT: Names = { schema: '$1', table: '$2', tenantColumn: '$3', event: '$4' };

/** Puts changes (record, old_record, omitted) into the outbox, once for each job that wants them. */
export function insertEvents(schema: string, changes: string, names: Names): string {
  const tenant = (record: string): string => `lower(change.${record} ->> ${names.tenantColumn})`;
  return `
    INSERT INTO ${schema}.data_events
      (tenant_id, job_id, table_name, event, record, old_record, omitted, bytes, occurred_at)
    SELECT watch.tenant_id, watch.job_id, watch.table_schema || '.' || watch.table_name, watch.event,
           change.record, seen.old_record, nullif(change.omitted, '{}'),
           coalesce(pg_column_size(change.record), 0) + coalesce(pg_column_size(seen.old_record), 0), now()
    FROM (${changes}) AS change
    JOIN ${schema}.data_triggers AS watch
      ON watch.table_schema = ${names.schema} AND watch.table_name = ${names.table} AND watch.event = ${names.event}
     AND watch.tenant_id::text = coalesce(${tenant('record')}, ${tenant('old_record')})
    JOIN ${schema}.jobs AS job ON job.tenant_id = watch.tenant_id AND job.id = watch.job_id AND NOT job.paused
    -- A row that came from another tenant does not bring along what it was there.
    CROSS JOIN LATERAL (
      SELECT CASE WHEN ${tenant('old_record')} = watch.tenant_id::text THEN change.old_record END AS old_record
    ) AS seen
    WHERE watch.event <> 'update' OR watch.columns IS NULL OR EXISTS (
      SELECT FROM unnest(watch.columns) AS name
      -- A column that is gone narrows nothing any more: better a run too many than changes that nobody hears of.
      WHERE NOT change.record ? name OR name = ANY (change.omitted)
         OR change.record ->> name IS DISTINCT FROM change.old_record ->> name
    )`;
}
