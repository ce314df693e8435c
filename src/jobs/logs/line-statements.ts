import type { SelectText } from '../../platform/database/index.js';

/*
 * What was printed and said is in run_logs, and the other lines follow from runs (lines_of_runs). Both are read in their order up
 * to the limit, and then merged.
 *
 * Parameters: $1 limit, $2 bytes of messages, $3 after this line, $4 up to this line (bigint), $5 the tenant or tenants, $6 levels, $7 since
 */

type Direction = 'ASC' | 'DESC';

/** The largest number that a line can have: that of PostgreSQL's bigint. */
export const HIGHEST_LINE = 2n ** 63n - 1n;

/** The first lines, up to the one that takes the messages beyond $2 bytes. */
function withinBytes(lines: string, direction: Direction): SelectText {
  return `SELECT id::text AS id, at, tenant_id AS "tenantId", run_id AS "runId", job_id AS "jobId", attempt, level, message,
         ends_run AS "endsRun"
  FROM (
    SELECT *, coalesce(sum(octet_length(message)) OVER (
      ORDER BY id ${direction} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
    FROM (${lines}) AS each_line
    ORDER BY id ${direction} LIMIT $1
  ) AS line
  WHERE bytes_before <= $2 ORDER BY line.id ${direction}`;
}

/** Of the run $8. */
function ofRun(direction: Direction): SelectText {
  const condition = `run_id = $8 AND tenant_id = $5::uuid AND id > $3 AND id <= $4 AND level = ANY ($6)
      AND ($7::timestamptz IS NULL OR at >= $7)`;
  return withinBytes(
    `
    SELECT * FROM lines_of_runs WHERE ${condition}
    UNION ALL
    (SELECT id, at, tenant_id, run_id, job_id, attempt, level, message, false FROM run_logs
     WHERE ${condition}
     ORDER BY id ${direction} LIMIT $1)`,
    direction,
  );
}

/**
 * Of all runs, or of those of the job $8. Since the changes of a tenant do not overlap, their order is that of their lines, and
 * all of them but one lie before $4 or behind it.
 *
 * Rows are compared as wholes and put in order by the tenant too, so that only the index of the tenant serves. By the equality
 * of the tenant, PostgreSQL would rather follow the primary key and pass the lines of all other tenants.
 */
function ofTenants(direction: Direction): SelectText {
  return withinBytes(
    `
    SELECT line.* FROM unnest($5::uuid[]) AS tenant (id) CROSS JOIN LATERAL (
      (SELECT line.* FROM run_changes change
         JOIN lines_of_runs line ON line.run_id = ANY (change.run_ids) AND line.id BETWEEN change.first_line AND change.last_line
       WHERE (change.tenant_id, change.last_line) > (tenant.id, $3)
         AND (change.tenant_id, change.last_line) <= (tenant.id, coalesce((
           SELECT last_line FROM run_changes
           WHERE (tenant_id, last_line) >= (tenant.id, $4) AND (tenant_id, last_line) < (tenant.id, ${HIGHEST_LINE})
           ORDER BY tenant_id, last_line LIMIT 1
         ), $4))
         AND change.levels && $6::text[] AND ($7::timestamptz IS NULL OR change.at >= $7)
         AND ($8::text IS NULL OR $8 = ANY (change.job_ids))
         AND line.id > $3 AND line.id <= $4 AND line.level = ANY ($6) AND ($8::text IS NULL OR line.job_id = $8)
       ORDER BY change.tenant_id ${direction}, change.last_line ${direction}, line.id ${direction} LIMIT $1)
      UNION ALL
      (SELECT id, at, tenant_id, run_id, job_id, attempt, level, message, false FROM run_logs
       WHERE (tenant_id, id) > (tenant.id, $3) AND (tenant_id, id) <= (tenant.id, $4) AND level = ANY ($6)
         AND ($7::timestamptz IS NULL OR at >= $7) AND ($8::text IS NULL OR job_id = $8)
       ORDER BY tenant_id ${direction}, id ${direction} LIMIT $1)
    ) line`,
    direction,
  );
}

export const OLDEST_FIRST = { ofRun: ofRun('ASC'), ofTenants: ofTenants('ASC') };
export const NEWEST_FIRST = { ofRun: ofRun('DESC'), ofTenants: ofTenants('DESC') };
