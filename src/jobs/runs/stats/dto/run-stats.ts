import { ApiProperty } from '@nestjs/swagger';
import { EnumField, PatternField, TimeSeriesQuery } from '../../../../http/index.js';
import { JOB_ID } from '../../model/run-id.js';
import { STATS_INTERVALS } from '../run-stats.js';
import type { StatsInterval, StatsPoint } from '../run-stats.js';

export class RunStatsQuery extends TimeSeriesQuery {
  @EnumField(STATS_INTERVALS, {
    optional: true,
    default: '1m',
    description: 'The length of an interval, in UTC.',
  })
  interval: StatsInterval = '1m';

  @PatternField(JOB_ID, 'must be the id of a job', {
    optional: true,
    description: 'Of this job, also when it is deleted.',
  })
  job_id?: string;
}

export class RunStatsPointDto {
  @ApiProperty({ format: 'date-time', description: 'The start of the interval.' })
  at!: string;

  @ApiProperty({ type: 'integer', example: 120, description: 'Runs that were accepted in the interval.' })
  accepted!: number;

  @ApiProperty({ type: 'integer', example: 117, description: 'Runs that ended in the interval, by status.' })
  completed!: number;

  @ApiProperty({ type: 'integer', example: 2 })
  failed!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  cancelled!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 84,
    description:
      'How long these took from their first start to their end, at most 4.5 % off; null without any.',
  })
  p50_ms!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 310 })
  p95_ms!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 12,
    description:
      'How long those that ended with their first attempt had been due before it; null without any.',
  })
  wait_p95_ms!: number | null;
}

export function toPointDto(point: StatsPoint): RunStatsPointDto {
  const { at, accepted, completed, failed, cancelled, p50Ms, p95Ms, waitP95Ms } = point;
  const counts = { accepted, completed, failed, cancelled };
  return { at: at.toISOString(), ...counts, p50_ms: p50Ms, p95_ms: p95Ms, wait_p95_ms: waitP95Ms };
}
