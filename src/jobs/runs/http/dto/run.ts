import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { JSON_REFERENCE, RawJson } from '../../../../http/index.js';
import { EVENT_TYPES } from '../../../../tenancy/index.js';
import { RUN_TRIGGER_TYPES } from '../../model/run.js';
import type { Run, RunAttempt, RunDetails, RunTrigger } from '../../model/run.js';
import { actorForUser, runActorOf } from '../../model/run-actor.js';
import { ATTEMPT_OUTCOMES, RUN_STATUSES } from '../../model/run-status.js';

export class RunTriggerEventDto {
  @ApiProperty({ enum: EVENT_TYPES, example: 'run.failed' })
  type!: string;

  @ApiProperty({ format: 'uuid' })
  id!: string;
}

@ApiExtraModels(RunTriggerEventDto)
export class RunTriggerDto {
  @ApiProperty({ enum: RUN_TRIGGER_TYPES })
  type!: string;

  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'The user who triggered it.' })
  user_id?: string;

  @ApiPropertyOptional({ type: String, description: 'The API key that triggered it.' })
  key_id?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The account of the operator who triggered it; null for `admin.token`.',
  })
  operator_id?: string | null;

  @ApiPropertyOptional({ type: 'integer', description: 'Of `cron`: index of the trigger within its job.' })
  position?: number;

  @ApiPropertyOptional({ type: String, example: '0 6 * * *', description: 'Of `cron`.' })
  schedule?: string;

  @ApiPropertyOptional({ type: String, example: 'Europe/Berlin', description: 'Of `cron`.' })
  timezone?: string;

  @ApiPropertyOptional({ type: String, example: '/hooks/shop-order', description: 'Of `webhook`.' })
  path?: string;

  @ApiPropertyOptional({ type: String, example: 'POST', description: 'Of `webhook`.' })
  method?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'x-github-event': 'push' },
    description: 'Of `webhook`, in the answer for one run: the headers that the handler gets.',
  })
  headers?: Record<string, string>;

  @ApiPropertyOptional({ type: String, example: 'public.orders', description: 'Of `data`.' })
  table?: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'string', example: 'insert' }, { $ref: getSchemaPath(RunTriggerEventDto) }],
    description: 'Of `data`, which change of a row; of `event`, what happened.',
  })
  event?: string | RunTriggerEventDto;

  @ApiPropertyOptional({ type: String, description: 'The run whose handler triggered it.' })
  run_id?: string;
}

export class RunErrorDto {
  @ApiProperty({ example: 'handler_error' })
  code!: string;

  @ApiProperty({ example: 'the upstream API answered 500' })
  message!: string;
}

export class RunDto {
  @ApiProperty({ example: 'run_01KAMF3VN0T7V8R0WQ2Z4Y6X8A' })
  id!: string;

  @ApiProperty({ example: 'greet' })
  job_id!: string;

  @ApiProperty({ enum: RUN_STATUSES })
  status!: string;

  @ApiProperty()
  trigger!: RunTriggerDto;

  @ApiProperty({
    example: 'user:0f3a9c52-6f0e-4e4b-9a53-0b8f1d9c7a11',
    description:
      'Who set the run going: `user:<id>`, `key:<id>`, `operator:<id>`, `run:<id>`, `cron:<position>`, `hook:<path>`, ' +
      '`data:<table>` or `event:<id>`; of a retry, who asked for it. To users of a project, who see only their own runs, ' +
      'a retry by others says no more than `key` or `operator`.',
  })
  actor!: string;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'Among the waiting runs of the organization, the higher goes first.',
  })
  priority!: number;

  @ApiProperty({ type: 'integer', example: 1, description: 'Calls to the handler so far.' })
  attempt!: number;

  @ApiProperty({ type: 'integer', example: 4, description: '`retries` + 1: how many attempts may fail.' })
  max_attempts!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The instant of a schedule that it stands for.',
  })
  scheduled_for!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When the next attempt may start: after the delay of the trigger or of a retry. Null unless the run is `queued` or `retrying`.',
  })
  due_at!: string | null;

  @ApiPropertyOptional({
    format: 'date-time',
    description:
      'Where the job has `start_within_ms`: if the first attempt has not begun by then, the run ends `cancelled` with the ' +
      'error code `expired`.',
  })
  start_before?: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 84,
    description: 'From the first start to the end.',
  })
  duration_ms!: number | null;

  @ApiPropertyOptional({ type: String, description: 'The run that this one repeats.' })
  retry_of?: string;

  @ApiPropertyOptional({
    type: String,
    description: 'The run whose handler triggered this one, also once that run is deleted.',
  })
  parent_run_id?: string;

  @ApiPropertyOptional()
  error?: RunErrorDto;
}

export class RunAttemptDto {
  @ApiProperty({ type: 'integer', example: 1 })
  number!: number;

  @ApiProperty({ format: 'date-time' })
  started_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  duration_ms!: number | null;

  @ApiProperty({ type: String, nullable: true, enum: ATTEMPT_OUTCOMES })
  outcome!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 200 })
  status_code!: number | null;

  @ApiProperty({ type: String, nullable: true })
  error!: string | null;
}

export class RunDetailsDto extends RunDto {
  @ApiProperty({ allOf: [JSON_REFERENCE], description: 'What the handler gets as body.' })
  payload!: unknown;

  @ApiProperty({
    allOf: [JSON_REFERENCE],
    description: "The handler's JSON answer, up to 64 KiB; null without one.",
  })
  result!: unknown;

  @ApiProperty({ type: [RunAttemptDto] })
  attempts!: RunAttemptDto[];
}

function millisecondsBetween(from: Date | null, to: Date | null): number | null {
  return from === null || to === null ? null : to.getTime() - from.getTime();
}

/** Lists leave out the headers, of which a page would have up to a megabyte. */
function withoutHeaders(trigger: RunTriggerDto): RunTriggerDto {
  if (trigger.type !== 'webhook' || trigger.headers === undefined) return trigger;
  const shown = { ...trigger };
  delete shown.headers;
  return shown;
}

function toTriggerDto(trigger: RunTrigger): RunTriggerDto {
  const shown = { ...trigger };
  delete shown.origin;
  delete shown.repeated_by;
  return shown;
}

/** @param userId of a caller who may see only their own runs */
export function toRunDto(run: Run, userId: string | null = null): RunDto {
  const actor = runActorOf(run.trigger);
  return {
    id: run.id,
    job_id: run.jobId,
    status: run.status,
    trigger: withoutHeaders(toTriggerDto(run.trigger)),
    actor: userId === null ? actor : actorForUser(actor, userId),
    priority: run.priority,
    attempt: run.attempt,
    max_attempts: run.maxAttempts,
    scheduled_for: run.scheduledFor?.toISOString() ?? null,
    due_at: run.dueAt?.toISOString() ?? null,
    ...(run.startBefore === null ? {} : { start_before: run.startBefore.toISOString() }),
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    completed_at: run.completedAt?.toISOString() ?? null,
    duration_ms: millisecondsBetween(run.startedAt, run.completedAt),
    ...(run.retryOf === null ? {} : { retry_of: run.retryOf }),
    ...(run.parentRunId === null ? {} : { parent_run_id: run.parentRunId }),
    ...(run.errorCode === null ? {} : { error: { code: run.errorCode, message: run.errorMessage ?? '' } }),
  };
}

function toAttemptDto(attempt: RunAttempt): RunAttemptDto {
  return {
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    completed_at: attempt.completedAt?.toISOString() ?? null,
    duration_ms: millisecondsBetween(attempt.startedAt, attempt.completedAt),
    outcome: attempt.outcome,
    status_code: attempt.statusCode,
    error: attempt.error,
  };
}

export function toRunDetailsDto(run: RunDetails, userId: string | null = null): RunDetailsDto {
  return {
    ...toRunDto(run, userId),
    trigger: toTriggerDto(run.trigger),
    payload: new RawJson(run.payload),
    result: run.result === null ? null : new RawJson(run.result),
    attempts: run.attempts.map(toAttemptDto),
  };
}
