import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { BooleanField, IntField, JSON_REFERENCE, TextField } from '../../../../http/index.js';
import { LOG_LEVELS } from '../../../logs/index.js';

const MAX_ERROR = 10_000;
/** A year, as for the delay of a trigger. */
const MAX_RETRY_AFTER_MS = 31_536_000_000;

export class CompleteBody {
  @ApiPropertyOptional({
    allOf: [JSON_REFERENCE],
    description: 'The result of the run, up to 64 KiB of JSON, kept as it came.',
  })
  @Allow()
  result?: unknown;
}

export class FailBody {
  @TextField(0, MAX_ERROR, {
    optional: true,
    example: 'the upstream API answered 500',
    description: 'What went wrong. The first 2,000 characters are kept.',
  })
  error?: string;

  @BooleanField({ optional: true, default: false, description: 'Ends the run, as 422 does.' })
  fatal?: boolean;

  @IntField(0, MAX_RETRY_AFTER_MS, {
    unit: 'milliseconds',
    optional: true,
    description: 'Do not retry before, as `Retry-After` says; at most `max_ms` of the job’s backoff.',
  })
  retry_after_ms?: number;
}

export class HandlerLineDto {
  @ApiProperty({ enum: LOG_LEVELS })
  level!: string;

  @ApiProperty({ type: String, description: 'What exceeds 8 KiB is cut.' })
  message!: string;
}

export class HeartbeatDto {
  @ApiProperty({
    format: 'date-time',
    description: 'Until when the attempt goes on without another sign of life.',
  })
  expires_at!: string;

  @ApiProperty({
    type: String,
    description: 'A token like the one in the call, for other requests: it expires at `expires_at`.',
  })
  token!: string;
}
