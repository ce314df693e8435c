import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BooleanField, DtoField, EnumField, JsonField } from '../../../http/index.js';
import type { RawJson } from '../../../http/index.js';
import { PAYLOAD_FILTER, PayloadFilter } from '../../runs/http/dto/payload-filter.js';
import { RunFilterFields } from '../../runs/http/dto/run-query.js';
import { OPERATION_ACTIONS } from '../operation.js';
import type { Operation, OperationAction } from '../operation.js';

export class BulkFilterDto extends RunFilterFields {
  @JsonField('as it came', {
    optional: true,
    example: { customer: { id: 42 } },
    description: PAYLOAD_FILTER,
  })
  @PayloadFilter()
  payload?: RawJson;
}

export class BulkRunsBody {
  @EnumField(OPERATION_ACTIONS)
  action!: OperationAction;

  @DtoField(BulkFilterDto, {
    description: 'The filters of the list of runs. Without any, all runs that the action can happen to.',
  })
  filter!: BulkFilterDto;

  @BooleanField({ optional: true, default: false, description: 'Only counts the runs that match.' })
  dry_run?: boolean;
}

export class BulkRunsDto {
  @ApiProperty({ type: 'integer', example: 128, description: 'How many runs match.' })
  matched!: number;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    description: 'Absent of a dry run, and where no run matches.',
  })
  operation_id?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Of a dry run, when it looked. As `filter.until`, it leaves out runs that were made since.',
  })
  at?: string;
}

export class OperationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: OPERATION_ACTIONS })
  action!: string;

  @ApiProperty({ type: 'integer', example: 128 })
  total!: number;

  @ApiProperty({
    type: 'integer',
    example: 120,
    description: 'Runs dealt with, including those that failed.',
  })
  done!: number;

  @ApiProperty({
    type: 'integer',
    example: 2,
    description: 'Runs that could not be retried or cancelled, for example since they have ended meanwhile.',
  })
  failed!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { job_deleted: 2 },
    description: 'How many failed, by the error code of the same request for one run.',
  })
  errors!: Record<string, number>;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at!: string | null;
}

export function toOperationDto(operation: Operation): OperationDto {
  const { id, action, total, done, failed, errors, createdAt, completedAt } = operation;
  return {
    id,
    action,
    total,
    done,
    failed,
    errors: { ...errors },
    created_at: createdAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
  };
}
