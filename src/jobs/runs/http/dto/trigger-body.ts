import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, Matches, Max, Min, ValidateBy } from 'class-validator';
import type { ValidationArguments } from 'class-validator';
import { Instant, JsonObject, NestedDto, Omittable } from '../../../../http/index.js';
import { PriorityField } from './priority.js';
import { RunDto } from './run.js';
import { IDEMPOTENCY_KEY } from './run-query.js';

/** One year. Use a schedule for anything later. */
const MAX_DELAY_MS = 31_536_000_000;
const MAX_ITEMS = 1_000;

function isAlone(_value: unknown, check?: ValidationArguments): boolean {
  return (check?.object as TriggerBody).delay_ms === undefined;
}

function isWithinReach(value: unknown): boolean {
  return typeof value !== 'string' || !(Date.parse(value) > Date.now() + MAX_DELAY_MS);
}

export class TriggerBody {
  @ApiPropertyOptional({
    type: Object,
    example: { name: 'Ada' },
    description: "The handler's request body; `{}` when absent.",
  })
  @Omittable()
  @JsonObject('as it came')
  payload?: Record<string, unknown>;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_DELAY_MS,
    description: 'How long to wait first.',
  })
  @Omittable()
  @IsInt({ message: 'must be a whole number of milliseconds' })
  @Min(0, { message: 'must be 0 or more' })
  @Max(MAX_DELAY_MS, { message: `must be at most ${MAX_DELAY_MS}` })
  delay_ms?: number | null;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    example: '2026-01-31T12:00:00Z',
    description:
      'The instant to wait for, instead of `delay_ms`: at most a year ahead. An instant that has passed means now.',
  })
  @Omittable()
  @Instant()
  @ValidateBy({
    name: 'isAlone',
    validator: { validate: isAlone, defaultMessage: () => 'must not be given together with delay_ms' },
  })
  @ValidateBy({
    name: 'isWithinReach',
    validator: { validate: isWithinReach, defaultMessage: () => 'must be at most 365 days ahead' },
  })
  run_at?: string;

  @PriorityField(
    "Which of the organization's waiting runs go first: the higher, the sooner. That of the job when absent.",
  )
  priority?: number;
}

export class BatchItemDto extends TriggerBody {
  @ApiPropertyOptional({
    type: String,
    pattern: IDEMPOTENCY_KEY.source,
    description: 'What the header `Idempotency-Key` is for a single trigger.',
  })
  @Omittable()
  @Matches(IDEMPOTENCY_KEY, { message: 'must be 1 to 255 printable ASCII characters' })
  idempotency_key?: string;
}

export class BatchBody {
  @ApiProperty({ type: [BatchItemDto], minItems: 1, maxItems: MAX_ITEMS })
  @IsArray({ message: 'must be a list' })
  @ArrayMinSize(1, { message: 'must have at least one item' })
  @ArrayMaxSize(MAX_ITEMS, { message: `must have at most ${MAX_ITEMS} items` })
  @NestedDto(() => BatchItemDto)
  items!: BatchItemDto[];
}

export class BatchRunsDto {
  @ApiProperty({ type: [RunDto], description: 'One for each item, in the same order.' })
  runs!: RunDto[];
}
