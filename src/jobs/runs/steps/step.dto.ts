import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { JSON_REFERENCE, RawJson } from '../../../http/index.js';
import type { Step, StepSummary } from './step.repository.js';

/** Names a step within its run: all that one sees. Clients shorten a path that ends with a dot segment. */
export const STEP_NAME = /^[^\p{C}\p{Z}.][^\p{C}\p{Zl}\p{Zp}]{0,127}$/u;

export class KeepStepBody {
  @ApiProperty({
    allOf: [JSON_REFERENCE],
    description: 'What the step resulted in, up to 256 KiB of JSON, kept as it came.',
  })
  @Allow()
  value?: unknown;
}

export class StepSummaryDto {
  @ApiProperty({ example: 'charge the card' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 1, description: 'The attempt that did it.' })
  attempt!: number;

  @ApiProperty({ type: 'integer', example: 27, description: 'Of the value as JSON.' })
  value_bytes!: number;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class StepDto extends StepSummaryDto {
  @ApiProperty({ allOf: [JSON_REFERENCE], description: 'As the handler wrote it.' })
  value!: unknown;
}

export function toStepSummaryDto({ name, attempt, valueBytes, createdAt }: StepSummary): StepSummaryDto {
  return { name, attempt, value_bytes: valueBytes, created_at: createdAt.toISOString() };
}

export function toStepDto(step: Step): StepDto {
  return { ...toStepSummaryDto(step), value: new RawJson(step.value) };
}
