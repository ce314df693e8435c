import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsBoolean, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSON_REFERENCE, Omittable } from '../../../../http/index.js';
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
  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_ERROR,
    example: 'the upstream API answered 500',
    description: 'What went wrong. The first 2,000 characters are kept.',
  })
  @Omittable()
  @MaxLength(MAX_ERROR, { message: `must have at most ${MAX_ERROR} characters` })
  @IsString({ message: 'must be a text' })
  error?: string;

  @ApiPropertyOptional({ type: Boolean, default: false, description: 'Ends the run, as 422 does.' })
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  fatal?: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_RETRY_AFTER_MS,
    description: 'Do not retry before, as `Retry-After` says; at most `max_ms` of the job’s backoff.',
  })
  @Omittable()
  @IsInt({ message: 'must be a whole number of milliseconds' })
  @Min(0, { message: 'must be 0 or more' })
  @Max(MAX_RETRY_AFTER_MS, { message: `must be at most ${MAX_RETRY_AFTER_MS}` })
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
