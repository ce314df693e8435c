import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { BooleanField, PatternListField } from '../../../http/index.js';
import type { FieldProblem } from '../../../http/index.js';
import { RunDto, toRunDto } from '../../runs/http/dto/run.js';
import { JOB_ID } from '../../runs/model/run-id.js';
import type { Run } from '../../runs/model/run.js';
import { referenceTo } from '../../../vault/index.js';
import { toTriggerDto, TRIGGER_CLASSES } from '../../triggers/index.js';
import type { TriggerDto } from '../../triggers/index.js';
import type { JobEntity } from '../job.entity.js';
import type { JobRecord } from '../job.repository.js';
import { ConcurrencyDto, DebounceDto, RateDto, RetryBackoffDto, RetryOnDto } from './manifest.js';

export class TriggerProblemDto {
  @ApiProperty({ example: 'triggers[0].columns[0]' })
  path!: string;

  @ApiProperty({ example: 'public.orders no longer has the column status: every update triggers the job' })
  message!: string;
}

@ApiExtraModels(...TRIGGER_CLASSES)
export class JobDto {
  @ApiProperty({ example: 'greet' })
  id!: string;

  @ApiProperty({ example: 'Greet someone' })
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  @ApiProperty({ example: 'greet', description: 'The name of a function, or the URL of an endpoint.' })
  handler!: string;

  @ApiPropertyOptional({
    example: 'vault:endpoints/acme',
    description: 'Of an endpoint: what signs its calls.',
  })
  signing_secret?: string;

  @ApiProperty({ type: 'integer', example: 30000 })
  timeout_ms!: number;

  @ApiProperty({ type: 'integer', example: 3 })
  retries!: number;

  @ApiProperty({ type: RetryBackoffDto })
  retry_backoff!: RetryBackoffDto;

  @ApiProperty({ type: 'integer', nullable: true })
  max_concurrent_runs!: number | null;

  @ApiPropertyOptional({ type: RetryOnDto, description: 'Where the job says which answers are retried.' })
  retry_on?: RetryOnDto;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'Of its runs, unless their trigger gives another.',
  })
  priority!: number;

  @ApiPropertyOptional({
    type: 'integer',
    example: 60000,
    description: 'Where the runs of the job must start in time.',
  })
  start_within_ms?: number;

  @ApiPropertyOptional({
    type: 'integer',
    example: 7,
    description: 'Where the job has a retention of its own.',
  })
  retention_days?: number;

  @ApiPropertyOptional({
    type: ConcurrencyDto,
    description: 'Where the job limits the runs with the same value.',
  })
  concurrency?: ConcurrencyDto;

  @ApiPropertyOptional({ type: RateDto, description: 'Where the job limits how often attempts begin.' })
  rate?: RateDto;

  @ApiPropertyOptional({
    type: DebounceDto,
    description: 'Where the job makes triggers that follow each other one run.',
  })
  debounce?: DebounceDto;

  @ApiProperty({
    enum: ['service', 'caller'],
    description: 'Whether its runs act as whoever sets them going.',
  })
  acts_as!: 'service' | 'caller';

  @ApiPropertyOptional({
    type: [String],
    example: ['data:orders:read'],
    description: 'Where its runs do not have all permissions.',
  })
  permissions?: string[];

  @ApiPropertyOptional({ enum: ['authenticated'], description: 'Where the job is open to every user.' })
  invocable_by?: 'authenticated';

  @ApiProperty({
    type: 'array',
    items: {
      oneOf: TRIGGER_CLASSES.map((trigger) => ({ $ref: getSchemaPath(trigger) })),
    },
    description: 'As declared.',
  })
  triggers!: TriggerDto[];

  @ApiPropertyOptional({
    type: [TriggerProblemDto],
    description:
      'What its triggers no longer find, such as a table or a column that was dropped. Absent where nothing is missing.',
  })
  problems?: TriggerProblemDto[];

  @ApiProperty()
  paused!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The next instant of any of its schedules; null without one, and while the job is paused.',
  })
  next_fire_at!: string | null;

  @ApiProperty({ type: RunDto, nullable: true, description: 'The newest run, whatever its status.' })
  last_run!: RunDto | null;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class JobPatchDto {
  @BooleanField({
    description:
      'A paused job lets its schedules, row changes and events pass and refuses webhooks; on demand it still runs.',
  })
  paused!: boolean;
}

/** More jobs than one request names: all of a tenant need no names. */
const MAX_NAMED = 1_000;

export class JobsPatchDto extends JobPatchDto {
  @PatternListField(JOB_ID, 'must be the id of a job', {
    of: 'ids',
    max: MAX_NAMED,
    optional: true,
    example: ['daily-report'],
    description: 'The jobs; all jobs if absent.',
  })
  ids?: string[];
}

/** A job with its newest run. */
export interface JobWithLastRun {
  readonly job: JobRecord;
  readonly lastRun: Run | null;
  readonly problems: readonly FieldProblem[];
}

/** What a manifest declares of a job, with defaults. */
export function toDefinitionDto(
  job: JobEntity,
): Omit<JobDto, 'problems' | 'next_fire_at' | 'last_run' | 'created_at' | 'updated_at'> {
  const { statuses, ...retryBackoff } = job.retryBackoff;
  return {
    id: job.id,
    name: job.name,
    description: job.description,
    handler: job.handler,
    timeout_ms: job.timeoutMs,
    ...(job.signingSecret === null ? {} : { signing_secret: referenceTo(job.signingSecret) }),
    retries: job.retries,
    retry_backoff: retryBackoff,
    max_concurrent_runs: job.maxConcurrentRuns,
    ...(statuses === undefined ? {} : { retry_on: { status: [...statuses] } }),
    priority: job.priority,
    ...(job.startWithinMs === null ? {} : { start_within_ms: job.startWithinMs }),
    ...(job.retentionDays === null ? {} : { retention_days: job.retentionDays }),
    ...(job.concurrency === null ? {} : { concurrency: job.concurrency }),
    ...(job.rate === null ? {} : { rate: job.rate }),
    ...(job.debounce === null ? {} : { debounce: job.debounce }),
    acts_as: job.actsAsCaller ? 'caller' : 'service',
    ...(job.permissions === null ? {} : { permissions: job.permissions }),
    ...(job.invocableBy === null ? {} : { invocable_by: job.invocableBy }),
    triggers: job.triggers.map(toTriggerDto),
    paused: job.paused,
  };
}

export function toJobDto({ job, lastRun, problems }: JobWithLastRun): JobDto {
  return {
    ...toDefinitionDto(job),
    ...(problems.length === 0 ? {} : { problems: [...problems] }),
    next_fire_at: job.nextFireAt?.toISOString() ?? null,
    last_run: lastRun === null ? null : toRunDto(lastRun),
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
  };
}
