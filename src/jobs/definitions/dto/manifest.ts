import { PriorityField } from '../../runs/http/dto/priority.js';
import { WHEN_FULL } from '../../runs/model/concurrency.js';
import type { Concurrency } from '../../runs/model/concurrency.js';
import { JOB_ID } from '../../runs/model/run-id.js';
import { MAX_RETENTION_DAYS, MAX_TOKEN_PERMISSIONS_CHARACTERS } from '../../runs/model/run.js';
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  DtoField,
  DtoListField,
  EnumField,
  IntField,
  IntListField,
  NumberField,
  PatternField,
  QueryFlag,
  TextField,
} from '../../../http/index.js';
import type { FieldOptions } from '../../../http/index.js';
import { HANDLER, HANDLER_MISMATCH } from '../../invoker/index.js';
import { PermissionsField } from '../../../rbac/index.js';
import { MAX_REFERENCE } from '../../../vault/index.js';
import { TRIGGER_CLASSES, triggerClassOf } from '../../triggers/index.js';
import type { TriggerDto } from '../../triggers/index.js';

/** One day. Split longer work into several runs. */
const MAX_TIMEOUT_MS = 86_400_000;
const MAX_RETRIES = 100;
const MAX_JOBS = 10_000;
const MAX_TRIGGERS = 100;
const MAX_CONCURRENT_RUNS = 100_000;
const MAX_STATUSES = 100;
const MAX_RATE = 1000;
/** One day. */
const MAX_RATE_MS = 86_400_000;
/** One day. */
const MAX_DEBOUNCE_MS = 86_400_000;
/** One week. */
const MAX_DEBOUNCED_MS = 604_800_000;
/** RFC 6901, without empty names. */
const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])+)+$/u;
const MAX_POINTER = 200;
/** One week. */
const MAX_START_WITHIN_MS = 604_800_000;
/** An answer with a 2xx status completes the run. */
const [LOWEST_STATUS, HIGHEST_STATUS] = [300, 599];

export class RetryBackoffDto {
  @EnumField(['exponential'])
  type!: 'exponential';

  @IntField(0, MAX_TIMEOUT_MS, { unit: 'milliseconds', example: 1000 })
  initial_ms!: number;

  @IntField(0, MAX_TIMEOUT_MS, { unit: 'milliseconds', example: 60000 })
  max_ms!: number;

  @NumberField(1, 1000, { example: 2 })
  multiplier!: number;

  @NumberField(0, 1, {
    optional: true,
    default: 0,
    description: 'Part (0–1) by which chance may shorten a delay.',
  })
  jitter?: number;
}

function PayloadPointerField(options: FieldOptions): PropertyDecorator {
  return TextField(1, MAX_POINTER, {
    pattern: JSON_POINTER,
    mismatch: 'must be a JSON Pointer to a value of the payload, such as "/customer/id" (RFC 6901)',
    example: '/customer_id',
    ...options,
  });
}

export class ConcurrencyDto {
  @PayloadPointerField({ description: 'Where in the payload the value is by which runs are counted.' })
  key!: string;

  @IntField(1, MAX_CONCURRENT_RUNS, { example: 1 })
  limit!: number;

  @EnumField(WHEN_FULL, {
    optional: true,
    default: 'queue',
    description:
      'What becomes of a further run: it waits; it ends `cancelled` (`drop_newest`); or the oldest that is running does, ' +
      'and it begins (`cancel_oldest`).',
  })
  when_full?: Concurrency['when_full'];
}

export class RateDto {
  @IntField(1, MAX_RATE, { example: 10 })
  limit!: number;

  @IntField(1, MAX_RATE_MS, { unit: 'milliseconds', example: 1000 })
  per_ms!: number;

  @PayloadPointerField({
    optional: true,
    description: 'Where in the payload the value is by which attempts are counted. Left out, all are.',
  })
  key?: string;
}

export class DebounceDto {
  @IntField(1, MAX_DEBOUNCE_MS, {
    unit: 'milliseconds',
    example: 5000,
    description: 'How long a run waits after each trigger.',
  })
  period_ms!: number;

  @IntField(1, MAX_DEBOUNCED_MS, {
    unit: 'milliseconds',
    optional: true,
    example: 60000,
    description: 'How long it waits after the first one at most. Left out, as long as triggers keep coming.',
  })
  max_ms?: number;

  @PayloadPointerField({
    optional: true,
    description: 'Where in the payload the value is whose triggers are one run. Left out, all are.',
  })
  key?: string;
}

export class RetryOnDto {
  @IntListField(LOWEST_STATUS, HIGHEST_STATUS, {
    of: 'statuses',
    max: MAX_STATUSES,
    unique: true,
    example: [429, 502, 503, 504],
    description:
      'Statuses of answers. An answer with another status than these and 2xx fails the run at once.',
  })
  status!: number[];
}

@ApiExtraModels(...TRIGGER_CLASSES)
export class JobDefinitionDto {
  @PatternField(
    JOB_ID,
    'must be 1 to 128 letters, digits, ".", "_" or "-", beginning with a letter or digit',
    { example: 'greet' },
  )
  id!: string;

  @TextField(1, 200, { example: 'Greet someone' })
  name!: string;

  @TextField(0, 2000, { optional: true })
  description?: string;

  @PatternField(HANDLER, HANDLER_MISMATCH, {
    example: 'greet',
    description: 'Name of a deployed function; or the URL of an endpoint, which gets signed webhooks.',
  })
  handler!: string;

  @TextField(1, MAX_REFERENCE, {
    optional: true,
    example: 'vault:endpoints/acme',
    description: 'Signs the calls of an endpoint, which must have one: `vault:` and the path of a secret.',
  })
  signing_secret?: string;

  @IntField(1, MAX_TIMEOUT_MS, { unit: 'milliseconds', optional: true, example: 30000 })
  timeout_ms?: number;

  @IntField(0, MAX_RETRIES, { optional: true, default: 0, example: 3 })
  retries?: number;

  @DtoField(RetryBackoffDto, { optional: true })
  retry_backoff?: RetryBackoffDto | null;

  @DtoField(RetryOnDto, {
    optional: true,
    description:
      'Which answers of the handler are retried, instead of all but 2xx and 422. Timeouts, and handlers that cannot be ' +
      'reached, are always retried.',
  })
  retry_on?: RetryOnDto;

  @PriorityField(
    "Which of the organization's waiting runs go first: the higher, the sooner. 0 when absent; a trigger may give another.",
  )
  priority?: number;

  @IntField(1, MAX_START_WITHIN_MS, {
    unit: 'milliseconds',
    optional: true,
    example: 60000,
    description:
      'How long after it is due a run may wait for its first attempt. Later it ends `cancelled` with the error code ' +
      '`expired`.',
  })
  start_within_ms?: number;

  @IntField(1, MAX_RETENTION_DAYS, {
    unit: 'days',
    optional: true,
    example: 7,
    description: 'Days after which an ended run of this job is deleted, instead of `jobs.retention_days`.',
  })
  retention_days?: number;

  @DtoListField(TRIGGER_CLASSES, {
    of: 'triggers',
    max: MAX_TRIGGERS,
    optional: true,
    classOf: triggerClassOf,
    example: [{ type: 'cron', schedule: '0 6 * * *', timezone: 'Europe/Berlin' }],
    description: 'What sets the job going besides demand.',
  })
  triggers?: TriggerDto[];

  @BooleanField({
    optional: true,
    description: 'Stops schedules, webhooks, row changes and events; left out, a pause stays as it is.',
  })
  paused?: boolean;

  @IntField(1, MAX_CONCURRENT_RUNS, {
    optional: true,
    description: 'Runs of this job that may be in work at one time, over all instances.',
  })
  max_concurrent_runs?: number;

  @DtoField(ConcurrencyDto, {
    optional: true,
    description: 'How many runs of this job with the same value in their payload may be in work at one time.',
  })
  concurrency?: ConcurrencyDto;

  @DtoField(RateDto, {
    optional: true,
    description: 'How many attempts of this job may begin within a time. Further ones wait.',
  })
  rate?: RateDto;

  @DtoField(DebounceDto, {
    optional: true,
    description: 'Triggers that follow each other closely are one run, with the payload of the last one.',
  })
  debounce?: DebounceDto;

  @EnumField(['service', 'caller'], {
    optional: true,
    default: 'service',
    description:
      'What its runs may do: as programs of the organization, bounded by `permissions`; or what whoever sets a run going may ' +
      'do as each attempt begins. A job with triggers has no caller.',
  })
  acts_as?: 'service' | 'caller';

  @PermissionsField({
    optional: true,
    maxCharacters: MAX_TOKEN_PERMISSIONS_CHARACTERS,
    description: 'All that its runs may do; everything if absent. Nobody declares what they do not hold.',
  })
  permissions?: string[];

  @EnumField(['authenticated'], {
    optional: true,
    description: 'In a project: every signed-in user may trigger it and read the runs that they triggered.',
  })
  invocable_by?: 'authenticated';
}

export class ManifestDto {
  @DtoListField([JobDefinitionDto], { of: 'jobs', max: MAX_JOBS })
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
