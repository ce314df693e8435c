import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { Instant, Omittable, PageQuery } from '../../../../platform/http/index.js';
import { TRIGGER_TYPES } from '../../model/run.js';
import type { RunTrigger } from '../../model/run.js';
import type { RunFilters } from '../../model/run.repository.js';
import { RUN_STATUSES } from '../../model/run-status.js';
import type { RunStatus } from '../../model/run-status.js';

const JOB_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export class RunsQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    pattern: JOB_ID.source,
    description: 'Of this job, also when it is deleted.',
  })
  @Omittable()
  @Matches(JOB_ID, { message: 'must be the id of a job' })
  job_id?: string;

  @ApiPropertyOptional({ enum: RUN_STATUSES })
  @Omittable()
  @IsIn(RUN_STATUSES, { message: `must be one of ${RUN_STATUSES.join(', ')}` })
  status?: RunStatus;

  @ApiPropertyOptional({ enum: TRIGGER_TYPES, description: 'What set the run going.' })
  @Omittable()
  @IsIn(TRIGGER_TYPES, { message: `must be one of ${TRIGGER_TYPES.join(', ')}` })
  trigger?: RunTrigger['type'];

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Made at this instant or later.' })
  @Omittable()
  @Instant()
  since?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Made before this instant.' })
  @Omittable()
  @Instant()
  until?: string;
}

export function toRunFilters(query: RunsQuery, ownerId: string | null): RunFilters {
  return {
    ownerId,
    jobId: query.job_id ?? null,
    status: query.status ?? null,
    trigger: query.trigger ?? null,
    since: query.since === undefined ? null : new Date(query.since),
    until: query.until === undefined ? null : new Date(query.until),
  };
}
