import {
  EnumField,
  InstantField,
  PatternField,
  QueryBooleanField,
  QueryCount,
  QueryCursor,
  QueryFlag,
  QueryIntField,
  QueryListField,
  TextField,
} from '../../../../http/index.js';
import { PAYLOAD_FILTER, PayloadFilter } from './payload-filter.js';
import { HANDLER } from '../../../invoker/index.js';
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

function oneOf(values: readonly string[]): RegExp {
  return new RegExp(`^(?:${values.join('|')})$`);
}

/** A filter that takes one value or several. */
function ValuesField(value: RegExp, message: string, description: string): PropertyDecorator {
  return QueryListField(value, message, { max: MAX_VALUES, maxLength: MAX_LIST, description });
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

  @ValuesField(RUN_ID, 'must be the id of a run', 'That retry this run, or one of these.')
  retry_of?: string[];

  @QueryBooleanField({
    optional: true,
    description:
      '`false`: that no other run retries which the caller may see; `true`: that one does. Examines a part of the runs for each page.',
  })
  retried?: boolean;

  @ValuesField(
    HANDLER,
    'must be the name of a function or the URL of an endpoint',
    'That called this handler, or one of these. Examines a part of the runs for each page.',
  )
  handler?: string[];

  @PatternField(IDEMPOTENCY_KEY, 'must be 1 to 255 printable ASCII characters', {
    optional: true,
    description: 'Triggered with this `Idempotency-Key`, which is known for 24 hours.',
  })
  idempotency_key?: string;

  @QueryIntField(0, MAX_DURATION_MS, {
    unit: 'milliseconds',
    optional: true,
    description:
      'Took at least so many milliseconds from the first start to the end. Examines a part of the runs for each page.',
  })
  min_duration_ms?: number;

  @InstantField({ optional: true, description: 'Made at this instant or later.' })
  since?: string;

  @InstantField({ optional: true, description: 'Made before this instant.' })
  until?: string;
}

export class RunsQuery extends RunFilterFields {
  @TextField(0, MAX_PAYLOAD, {
    optional: true,
    example: '{"customer":{"id":42}}',
    description: `${PAYLOAD_FILTER} Examines a part of the runs for each page.`,
  })
  @PayloadFilter()
  payload?: string;

  @EnumField(RUN_ORDERS, {
    optional: true,
    default: 'created_at',
    description:
      'The newest, the last started or the longest first. The orders `started_at` and `duration` leave out runs ' +
      'without a value and sort the newest 10,000 runs that match; `since` and `until` select others.',
  })
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
    retryOf: query.retry_of ?? null,
    isRetried: query.retried ?? null,
    handlers: query.handler ?? null,
    idempotencyKey: query.idempotency_key ?? null,
    payload: query.payload ?? null,
    minDurationMs: query.min_duration_ms ?? null,
    since: query.since === undefined ? null : new Date(query.since),
    until: query.until === undefined ? null : new Date(query.until),
  };
}
