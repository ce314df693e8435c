import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import { Instant, Omittable, QueryCount, QueryCursor } from '../../../http/index.js';
import { LINE_ORDERS, LOG_LEVELS } from '../log-line.js';
import type { LineOrder, LogLevel, LogLine } from '../log-line.js';

export class RunLogsQuery {
  @ApiPropertyOptional({ enum: LOG_LEVELS, default: 'debug', description: 'The lowest that is shown.' })
  @Omittable()
  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  level: LogLevel = 'debug';

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Lines of this instant and later.' })
  @Omittable()
  @Instant()
  since?: string;

  @ApiPropertyOptional({
    enum: LINE_ORDERS,
    default: 'asc',
    description:
      'Oldest line first (`asc`) or newest line first (`desc`). A `cursor` goes with the order of its list.',
  })
  @Omittable()
  @IsIn(LINE_ORDERS, { message: `must be one of ${LINE_ORDERS.join(', ')}` })
  order: LineOrder = 'asc';

  @QueryCount({ maximum: 1000, absent: 100 })
  limit = 100;

  @QueryCursor()
  cursor?: string;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Answers Server-Sent Events that go on; `Last-Event-ID` resumes after the line of that id.',
  })
  @Omittable()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean({ message: 'must be true or false' })
  follow = false;
}

export class LogsQuery extends RunLogsQuery {
  @ApiPropertyOptional({ type: String, maxLength: 128 })
  @Omittable()
  @IsString({ message: 'must be text' })
  @MaxLength(128)
  job_id?: string;
}

export class LogLineDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty()
  run_id!: string;

  @ApiProperty()
  job_id!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null before the first attempt.' })
  attempt!: number | null;

  @ApiProperty({ enum: LOG_LEVELS })
  level!: LogLevel;

  @ApiProperty()
  message!: string;
}

export function toLogLineDto(line: LogLine): LogLineDto {
  const { at, runId, jobId, attempt, level, message } = line;
  return { at: at.toISOString(), run_id: runId, job_id: jobId, attempt, level, message };
}
