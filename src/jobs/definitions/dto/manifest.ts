import { JOB_ID } from '../../runs/model/run-id.js';
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
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
import { NestedDto, Omittable } from '../../../http/index.js';
import { CronTriggerDto, DataTriggerDto, triggerClassOf, WebhookTriggerDto } from '../../triggers/index.js';
import type { TriggerDto } from '../../triggers/index.js';

/** One day. Split longer work into several runs. */
const MAX_TIMEOUT_MS = 86_400_000;
const MAX_RETRIES = 100;
const MAX_JOBS = 10_000;
const MAX_TRIGGERS = 100;
const MAX_CONCURRENT_RUNS = 100_000;

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

@ApiExtraModels(CronTriggerDto, WebhookTriggerDto, DataTriggerDto)
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
    type: 'array',
    maxItems: MAX_TRIGGERS,
    items: {
      oneOf: [CronTriggerDto, WebhookTriggerDto, DataTriggerDto].map((trigger) => ({
        $ref: getSchemaPath(trigger),
      })),
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
    description: 'Stops schedules, webhooks and data events; left out, a pause stays as it is.',
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

function flag(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Boolean, default: false, description }),
    Omittable(),
    IsBoolean({ message: 'must be true or false' }),
    // In a query string every value is text.
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
  );
}

export class RegistrationQuery {
  @flag('Deletes the jobs that the manifest does not name.')
  prune?: boolean;

  @flag('Answers what would change, or why it is refused, and changes nothing.')
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
