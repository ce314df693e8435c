import { Injectable } from '@nestjs/common';
import { firstRow, rows } from '../../../platform/database/index.js';
import type { AutoCommit, Reader, SelectText } from '../../../platform/database/index.js';
import type { TenantId } from '../../../http/index.js';
import type { AttemptName } from '../model/run.js';
import { OF_ATTEMPT } from '../model/status-sql.js';

/** Steps that a run can keep. Requests that arrive while the last ones are kept may add a few more. */
export const MAX_STEPS = 1_000;

/** What a handler has done, and need not do again in a later attempt of the run. */
export interface StepSummary {
  readonly name: string;
  /** The attempt that did it. */
  readonly attempt: number;
  readonly valueBytes: number;
  readonly createdAt: Date;
}

export interface Step extends StepSummary {
  /** JSON text, as the handler wrote it. */
  readonly value: string;
}

const SUMMARY = 'step.name, step.attempt, step.value_bytes AS "valueBytes", step.created_at AS "createdAt"';

/**
 * A deferred attempt goes on for its time limit, as after any sign of life. Whoever has locked its row gives another sign of
 * life at this moment, or ends it, so nobody waits for that: steps that are kept at one time do not wait for one another.
 */
const KEEP = `
  WITH running AS MATERIALIZED (
    SELECT id, fence, timeout_ms FROM runs_active runs WHERE ${OF_ATTEMPT}
  ), deferred AS (
    SELECT run_id, timeout_ms FROM deferred_attempts JOIN running ON run_id = running.id
    WHERE deferred_attempts.fence = running.fence FOR NO KEY UPDATE OF deferred_attempts SKIP LOCKED
  ), extended AS (
    UPDATE deferred_attempts SET expires_at = clock_timestamp() + make_interval(secs => deferred.timeout_ms / 1000.0)
    FROM deferred WHERE deferred_attempts.run_id = deferred.run_id
  ), kept AS (
    INSERT INTO run_steps (run_id, name, attempt, value, value_bytes)
    SELECT running.id, $4, $2, $5::text::json, octet_length($5::text) FROM running
    WHERE (SELECT count(*) FROM run_steps WHERE run_id = $1) < ${MAX_STEPS}
    ON CONFLICT (run_id, name) DO NOTHING
    RETURNING name, attempt, value, value_bytes, created_at
  )
  SELECT ${SUMMARY}, step.value::text FROM running LEFT JOIN kept AS step ON true`;

const LIST: SelectText = `SELECT ${SUMMARY} FROM runs LEFT JOIN run_steps step ON step.run_id = runs.id
  WHERE runs.id = $1 AND runs.tenant_id = $2 ORDER BY step.created_at, step.name`;

const FIND: SelectText = `SELECT ${SUMMARY}, step.value::text
  FROM runs LEFT JOIN run_steps step ON step.run_id = runs.id AND step.name = $3
  WHERE runs.id = $1 AND runs.tenant_id = $2`;

/** The same for the handler of an attempt, while it runs. */
const FIND_OWN: SelectText = `SELECT ${SUMMARY}, step.value::text
  FROM runs_active runs LEFT JOIN run_steps step ON step.run_id = runs.id AND step.name = $4
  WHERE ${OF_ATTEMPT}`;

/** A row of an outer join: of a step, or of none. */
type Joined<One> = { readonly [Key in keyof One]: One[Key] | null };

function isStep<One extends StepSummary>(row: Joined<One> | One): row is One {
  return row.name !== null;
}

@Injectable()
export class StepRepository {
  /**
   * Keeps a step of an attempt that goes on, unless the run has one of this name or too many.
   * @returns `step` is null when it was not kept; all of it is null when the attempt has ended
   */
  async keep(
    handle: AutoCommit,
    { runId, attempt, tenantId }: AttemptName,
    { name, value }: Pick<Step, 'name' | 'value'>,
  ): Promise<{ step: Step | null } | null> {
    const row = await firstRow<Joined<Step>>(handle, KEEP, [runId, attempt, tenantId, name, value]);
    return row && { step: isStep<Step>(row) ? row : null };
  }

  /** The steps of a run, the earliest first; null when the tenant has no such run. */
  async list(reader: Reader, tenantId: TenantId, runId: string): Promise<StepSummary[] | null> {
    const found = await rows<Joined<StepSummary>>(reader, LIST, [runId, tenantId]);
    return found.length === 0 ? null : found.filter((row) => isStep<StepSummary>(row));
  }

  /** @returns `step` is null when the run has none of this name; all of it is null when the tenant has no such run */
  async find(
    reader: Reader,
    tenantId: TenantId,
    runId: string,
    name: string,
  ): Promise<{ step: Step | null } | null> {
    const row = await firstRow<Joined<Step>>(reader, FIND, [runId, tenantId, name]);
    return row && { step: isStep<Step>(row) ? row : null };
  }

  /** @returns `step` is null when the run has none of this name; all of it is null when the attempt has ended */
  async findOwn(
    reader: Reader,
    { runId, attempt, tenantId }: AttemptName,
    name: string,
  ): Promise<{ step: Step | null } | null> {
    const row = await firstRow<Joined<Step>>(reader, FIND_OWN, [runId, attempt, tenantId, name]);
    return row && { step: isStep<Step>(row) ? row : null };
  }
}
