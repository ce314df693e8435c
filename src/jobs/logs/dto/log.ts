import { ApiProperty } from '@nestjs/swagger';
import {
  EnumField,
  InstantField,
  QueryCount,
  QueryCursor,
  QueryFlag,
  TextField,
} from '../../../http/index.js';
import { LINE_ORDERS, LOG_LEVELS } from '../log-line.js';
import type { LineOrder, LogLevel, LogLine } from '../log-line.js';

export class RunLogsQuery {
  @EnumField(LOG_LEVELS, { optional: true, default: 'debug', description: 'The lowest that is shown.' })
  level: LogLevel = 'debug';

  @InstantField({ optional: true, description: 'Lines of this instant and later.' })
  since?: string;

  @EnumField(LINE_ORDERS, {
    optional: true,
    default: 'asc',
    description:
      'Oldest line first (`asc`) or newest line first (`desc`). A `cursor` goes with the order of its list.',
  })
  order: LineOrder = 'asc';

  @QueryCount({ maximum: 1000, absent: 100 })
  limit = 100;

  @QueryCursor()
  cursor?: string;

  @QueryFlag('Answers Server-Sent Events that go on; `Last-Event-ID` resumes after the line of that id.')
  follow = false;
}

export class LogsQuery extends RunLogsQuery {
  @TextField(0, 128, { optional: true })
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
