import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import {
  DtoListField,
  InstantField,
  IntField,
  JSON_REFERENCE,
  JsonField,
  PatternField,
  Rule,
} from '../../../../http/index.js';
import { PriorityField } from './priority.js';
import { RunDto } from './run.js';
import { IDEMPOTENCY_KEY } from './run-query.js';

/** One year. Use a schedule for anything later. */
const MAX_DELAY_MS = 31_536_000_000;
const MAX_ITEMS = 1_000;

function isBeyondReach(instant: unknown): boolean {
  return typeof instant === 'string' && Date.parse(instant) > Date.now() + MAX_DELAY_MS;
}

export class TriggerBody {
  @JsonField('as it came', {
    optional: true,
    example: { name: 'Ada' },
    description: "The handler's request body; `{}` when absent.",
  })
  payload?: Record<string, unknown>;

  @IntField(0, MAX_DELAY_MS, { unit: 'milliseconds', optional: true, description: 'How long to wait first.' })
  delay_ms?: number | null;

  @InstantField({
    optional: true,
    example: '2026-01-31T12:00:00Z',
    description:
      'The instant to wait for, instead of `delay_ms`: at most a year ahead. An instant that has passed means now.',
  })
  @Rule((value, { delay_ms: delay }) =>
    delay !== undefined
      ? 'must not be given together with delay_ms'
      : isBeyondReach(value)
        ? 'must be at most 365 days ahead'
        : null,
  )
  run_at?: string;

  @PriorityField(
    "Which of the organization's waiting runs go first: the higher, the sooner. That of the job when absent.",
  )
  priority?: number;
}

export class RetryBody {
  /** Any JSON and not only an object: the payload of a run that a webhook set going is what the provider sent. */
  @ApiPropertyOptional({
    allOf: [JSON_REFERENCE],
    description:
      'What the new run gets instead of the payload of the ended one, kept as it came. An object, and the new run is yours, if the ended one was triggered on demand.',
  })
  @Allow()
  payload?: unknown;
}

export class BatchItemDto extends TriggerBody {
  @PatternField(IDEMPOTENCY_KEY, 'must be 1 to 255 printable ASCII characters', {
    optional: true,
    description: 'What the header `Idempotency-Key` is for a single trigger.',
  })
  idempotency_key?: string;
}

export class BatchBody {
  @DtoListField([BatchItemDto], { of: 'items', min: 1, max: MAX_ITEMS })
  items!: BatchItemDto[];
}

export class BatchRunsDto {
  @ApiProperty({ type: [RunDto], description: 'One for each item, in the same order.' })
  runs!: RunDto[];
}
