import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { Instant, Omittable, QueryCount, QueryCursor, QueryFlag, TextBound } from '../../../../http/index.js';
import { PAYLOAD_FILTER, PayloadFilter } from './payload-filter.js';
import { JOB_ID, RUN_ID } from '../../model/run-id.js';
import { RUN_TRIGGER_TYPES } from '../../model/run.js';
import type { RunTrigger } from '../../model/run.js';
import { RUN_STATUSES } from '../../model/run-status.js';
import type { RunStatus } from '../../model/run-status.js';
import type { RunFilters } from '../../search/run-filters.js';
import { RUN_ORDERS } from '../../search/run-lists.js';
import type { RunOrder } from '../../search/run-lists.js';

const MAX_VALUES = 50;
/** Characters: 50 ids of jobs with their commas. */
const MAX_LIST = MAX_VALUES * 129;
const MAX_PAYLOAD = 8_192;
/** A year. */
const MAX_DURATION_MS = 31_536_000_000;
const ERROR_CODE = /^[a-z_]{1,64}$/;
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** The pattern of a text that has values of this pattern, separated by commas. */
function listPattern(value: RegExp): string {
  const one = value.source.slice(1, -1);
  return `^${one}(,${one})*$`;
}

function oneOf(values: readonly string[]): RegExp {
  return new RegExp(`^(?:${values.join('|')})$`);
}

/** A filter that takes one value or several, separated by commas. */
function ValuesField(value: RegExp, message: string, description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, pattern: listPattern(value), maxLength: MAX_LIST, description }),
    Omittable(),
    TextBound(MAX_LIST),
    Transform(({ value: given }: { value: unknown }) =>
      typeof given === 'string' ? given.split(',') : given,
    ),
    Matches(value, { each: true, message }),
    ArrayMaxSize(MAX_VALUES, { message: `must have at most ${MAX_VALUES} values` }),
    IsArray({ message }),
  );
}

/** The filters of runs but for the payload, which a query has as text. A list may also be an array in a body. */
export class RunFilterFields {
  @ValuesField(JOB_ID, 'must be the id of a job', 'Of this job, or one of these, also when it is deleted.')
  job_id?: string[];

  @ValuesField(
    oneOf(RUN_STATUSES),
    `must be one of ${RUN_STATUSES.join(', ')}`,
    'In this status, or one of these: `failed,cancelled`.',
  )
  status?: RunStatus[];

  @ValuesField(
    oneOf(RUN_TRIGGER_TYPES),
    `must be one of ${RUN_TRIGGER_TYPES.join(', ')}`,
    'What set the run going: one or several kinds.',
  )
  trigger?: RunTrigger['type'][];

  @ValuesField(ERROR_CODE, 'must be the code of an error', 'With this `error.code`, or one of these.')
  error_code?: string[];

  @ValuesField(
    RUN_ID,
    'must be the id of a run',
    'That the handler of this run triggered, or of one of these, also when that run is deleted.',
  )
  parent_run_id?: string[];

  @ValuesField(
    JOB_ID,
    'must be the name of a handler',
    'That called this handler, or one of these. Examines a part of the runs for each page.',
  )
  handler?: string[];

  @ApiPropertyOptional({
    type: String,
    pattern: IDEMPOTENCY_KEY.source,
    description: 'Triggered with this `Idempotency-Key`, which is known for 24 hours.',
  })
  @Omittable()
  @Matches(IDEMPOTENCY_KEY, { message: 'must be 1 to 255 printable ASCII characters' })
  idempotency_key?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_DURATION_MS,
    description:
      'Took at least so many milliseconds from the first start to the end. Examines a part of the runs for each page.',
  })
  @Omittable()
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value,
  )
  @IsInt({ message: 'must be a whole number of milliseconds' })
  @Min(0, { message: 'must be 0 or more' })
  @Max(MAX_DURATION_MS, { message: `must be at most ${MAX_DURATION_MS}` })
  min_duration_ms?: number;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Made at this instant or later.' })
  @Omittable()
  @Instant()
  since?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Made before this instant.' })
  @Omittable()
  @Instant()
  until?: string;
}

export class RunsQuery extends RunFilterFields {
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_PAYLOAD,
    example: '{"customer":{"id":42}}',
    description: `${PAYLOAD_FILTER} Examines a part of the runs for each page.`,
  })
  @Omittable()
  @TextBound(MAX_PAYLOAD)
  @PayloadFilter()
  @IsString({ message: 'must be a JSON object' })
  payload?: string;

  @ApiPropertyOptional({
    enum: RUN_ORDERS,
    default: 'created_at',
    description:
      'The newest, the last started or the longest first. The orders `started_at` and `duration` leave out runs ' +
      'without a value and sort the newest 10,000 runs that match; `since` and `until` select others.',
  })
  @Omittable()
  @IsIn(RUN_ORDERS, { message: `must be one of ${RUN_ORDERS.join(', ')}` })
  sort?: RunOrder;

  @QueryCount({ maximum: 100, absent: 20 })
  limit = 20;

  @QueryCursor()
  cursor?: string;
}

export class CancelQuery {
  @QueryFlag('Also ends the runs that it triggered, and those that these triggered.')
  children?: boolean;
}

export function toRunFilters(
  query: RunFilterFields & { payload?: string | undefined },
  ownerId: string | null,
): RunFilters {
  return {
    ownerId,
    jobIds: query.job_id ?? null,
    statuses: query.status ?? null,
    triggers: query.trigger ?? null,
    errorCodes: query.error_code ?? null,
    parentRunIds: query.parent_run_id ?? null,
    handlers: query.handler ?? null,
    idempotencyKey: query.idempotency_key ?? null,
    payload: query.payload ?? null,
    minDurationMs: query.min_duration_ms ?? null,
    since: query.since === undefined ? null : new Date(query.since),
    until: query.until === undefined ? null : new Date(query.until),
  };
}
