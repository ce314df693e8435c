import { PriorityField } from '../../runs/http/dto/priority.js';
import { JOB_ID } from '../../runs/model/run-id.js';
import { MAX_RETENTION_DAYS } from '../../runs/model/run.js';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { NestedDto, Omittable, QueryFlag } from '../../../http/index.js';
import { TRIGGER_CLASSES, triggerClassOf } from '../../triggers/index.js';
import type { TriggerDto } from '../../triggers/index.js';

/** One day. Split longer work into several runs. */
const MAX_TIMEOUT_MS = 86_400_000;
const MAX_RETRIES = 100;
const MAX_JOBS = 10_000;
const MAX_TRIGGERS = 100;
const MAX_CONCURRENT_RUNS = 100_000;
const MAX_STATUSES = 100;
/** One week. */
const MAX_START_WITHIN_MS = 604_800_000;
/** An answer with a 2xx status completes the run. */
const [LOWEST_STATUS, HIGHEST_STATUS] = [300, 599];

export class RetryBackoffDto {
  @ApiProperty({ enum: ['exponential'] })
  @IsIn(['exponential'], { message: 'must be "exponential"' })
  type!: 'exponential';

  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_TIMEOUT_MS, example: 1000 })
  @IsInt({ message: 'must be a whole number of milliseconds' })
  @Min(0, { message: 'must be 0 or more' })
  @Max(MAX_TIMEOUT_MS, { message: `must be at most ${MAX_TIMEOUT_MS}` })
  initial_ms!: number;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_TIMEOUT_MS, example: 60000 })
  @IsInt({ message: 'must be a whole number of milliseconds' })
  @Min(0, { message: 'must be 0 or more' })
  @Max(MAX_TIMEOUT_MS, { message: `must be at most ${MAX_TIMEOUT_MS}` })
  max_ms!: number;

  @ApiProperty({ type: Number, minimum: 1, maximum: 1000, example: 2 })
  @IsNumber({ allowNaN: false, allowInfinity: false }, { message: 'must be a number' })
  @Min(1, { message: 'must be 1 or more' })
  @Max(1000, { message: 'must be at most 1000' })
  multiplier!: number;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: 1,
    default: 0,
    description: 'Part (0–1) by which chance may shorten a delay.',
  })
  @Omittable()
  @IsNumber({ allowNaN: false, allowInfinity: false }, { message: 'must be a number' })
  @Min(0, { message: 'must be from 0 to 1' })
  @Max(1, { message: 'must be from 0 to 1' })
  jitter?: number;
}

export class RetryOnDto {
  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: LOWEST_STATUS, maximum: HIGHEST_STATUS },
    maxItems: MAX_STATUSES,
    uniqueItems: true,
    example: [429, 502, 503, 504],
    description:
      'Statuses of answers. An answer with another status than these and 2xx fails the run at once.',
  })
  @IsArray({ message: 'must be a list of statuses' })
  @ArrayMaxSize(MAX_STATUSES, { message: `must have at most ${MAX_STATUSES} statuses` })
  @ArrayUnique({ message: 'must name each status once' })
  @IsInt({ each: true, message: 'must hold whole numbers' })
  @Min(LOWEST_STATUS, { each: true, message: `must hold statuses from ${LOWEST_STATUS} on` })
  @Max(HIGHEST_STATUS, { each: true, message: `must hold statuses up to ${HIGHEST_STATUS}` })
  status!: number[];
}

@ApiExtraModels(...TRIGGER_CLASSES)
export class JobDefinitionDto {
  @ApiProperty({ type: String, pattern: JOB_ID.source, example: 'greet' })
  @IsString({ message: 'must be text' })
  @Matches(JOB_ID, {
    message: 'must be 1 to 128 letters, digits, ".", "_" or "-", beginning with a letter or digit',
  })
  id!: string;

  @ApiProperty({ type: String, minLength: 1, maxLength: 200, example: 'Greet someone' })
  @IsString({ message: 'must be text' })
  @Length(1, 200, { message: 'must have 1 to 200 characters' })
  name!: string;

  @ApiPropertyOptional({ type: String, maxLength: 2000 })
  @Omittable()
  @IsString({ message: 'must be text' })
  @MaxLength(2000, { message: 'must have at most 2000 characters' })
  description?: string;

  @ApiProperty({
    type: String,
    pattern: JOB_ID.source,
    example: 'greet',
    description: 'Name of a deployed function.',
  })
  @IsString({ message: 'must be text' })
  @Matches(JOB_ID, {
    message: 'must be 1 to 128 letters, digits, ".", "_" or "-", beginning with a letter or digit',
  })
  handler!: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_MS, example: 30000 })
  @Omittable()
  @IsInt({ message: 'must be a whole number of milliseconds' })
  @Min(1, { message: 'must be 1 or more' })
  @Max(MAX_TIMEOUT_MS, { message: `must be at most ${MAX_TIMEOUT_MS}` })
  timeout_ms?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_RETRIES, default: 0, example: 3 })
  @Omittable()
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must be 0 or more' })
  @Max(MAX_RETRIES, { message: `must be at most ${MAX_RETRIES}` })
  retries?: number;

  @ApiPropertyOptional({ type: RetryBackoffDto })
  @Omittable()
  @IsObject({ message: 'must be an object' })
  @NestedDto(() => RetryBackoffDto)
  retry_backoff?: RetryBackoffDto | null;

  @ApiPropertyOptional({
    type: RetryOnDto,
    description:
      'Which answers of the handler are retried, instead of all but 2xx and 422. Timeouts, and handlers that cannot be ' +
      'reached, are always retried.',
  })
  @Omittable()
  @IsObject({ message: 'must be an object' })
  @NestedDto(() => RetryOnDto)
  retry_on?: RetryOnDto;

  @PriorityField(
    "Which of the organization's waiting runs go first: the higher, the sooner. 0 when absent; a trigger may give another.",
  )
  priority?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_START_WITHIN_MS,
    example: 60000,
    description:
      'How long after it is due a run may wait for its first attempt. Later it ends `cancelled` with the error code ' +
      '`expired`.',
  })
  @Omittable()
  @IsInt({ message: 'must be a whole number of milliseconds' })
  @Min(1, { message: 'must be 1 or more' })
  @Max(MAX_START_WITHIN_MS, { message: `must be at most ${MAX_START_WITHIN_MS}` })
  start_within_ms?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_RETENTION_DAYS,
    example: 7,
    description: 'Days after which an ended run of this job is deleted, instead of `jobs.retention_days`.',
  })
  @Omittable()
  @IsInt({ message: 'must be a whole number of days' })
  @Min(1, { message: 'must be 1 or more' })
  @Max(MAX_RETENTION_DAYS, { message: `must be at most ${MAX_RETENTION_DAYS}` })
  retention_days?: number;

  @ApiPropertyOptional({
    type: 'array',
    maxItems: MAX_TRIGGERS,
    items: {
      oneOf: TRIGGER_CLASSES.map((trigger) => ({ $ref: getSchemaPath(trigger) })),
    },
    example: [{ type: 'cron', schedule: '0 6 * * *', timezone: 'Europe/Berlin' }],
    description: 'What sets the job going besides demand.',
  })
  @Omittable()
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(MAX_TRIGGERS, { message: `must have at most ${MAX_TRIGGERS} triggers` })
  @NestedDto(triggerClassOf)
  triggers?: TriggerDto[];

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Stops schedules, webhooks, row changes and events; left out, a pause stays as it is.',
  })
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  paused?: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_CONCURRENT_RUNS,
    description: 'Runs of this job that may be in work at one time, over all instances.',
  })
  @Omittable()
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be 1 or more' })
  @Max(MAX_CONCURRENT_RUNS, { message: `must be at most ${MAX_CONCURRENT_RUNS}` })
  max_concurrent_runs?: number;

  @ApiPropertyOptional({
    enum: ['authenticated'],
    description: 'In a project: every signed-in user may trigger it and read the runs that they triggered.',
  })
  @Omittable()
  @IsIn(['authenticated'], { message: 'must be "authenticated"' })
  invocable_by?: 'authenticated';
}

export class ManifestDto {
  @ApiProperty({ type: [JobDefinitionDto], maxItems: MAX_JOBS })
  @IsArray({ message: 'must be a list of jobs' })
  @ArrayMaxSize(MAX_JOBS, { message: `must have at most ${MAX_JOBS} jobs` })
  @NestedDto(() => JobDefinitionDto)
  jobs!: JobDefinitionDto[];
}

export class RegistrationQuery {
  @QueryFlag('Deletes the jobs that the manifest does not name.')
  prune?: boolean;

  @QueryFlag('Answers what would change, or why it is refused, and changes nothing.')
  dry_run?: boolean;
}

export class JobChangeDto {
  @ApiProperty({ example: 'greet' })
  id!: string;

  @ApiProperty({ enum: ['created', 'updated', 'unchanged', 'deleted'] })
  change!: 'created' | 'updated' | 'unchanged' | 'deleted';
}

export class RegisteredDto {
  @ApiProperty({ type: [JobChangeDto] })
  jobs!: JobChangeDto[];
}
