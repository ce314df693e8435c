import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { QueryCount } from '../../../../http/index.js';
import type { NamedTenantLoad, TenantQueue } from '../queue-state.js';
import type { JobLoad, QueueLoad } from '../queue-state.repository.js';

class QueueLoadDto {
  @ApiProperty({ type: 'integer', example: 12, description: 'Runs that are due and wait for an attempt.' })
  waiting!: number;

  @ApiProperty({
    type: 'integer',
    example: 3,
    description: 'Runs that wait for their time: triggers with a delay, and retries.',
  })
  delayed!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 1840,
    description: 'How long the run that has been due longest has waited; null when none is due.',
  })
  oldest_wait_ms!: number | null;

  @ApiProperty({ type: 'integer', example: 8, description: 'Runs whose handler is being called.' })
  at_work!: number;
}

export class JobQueueDto extends QueueLoadDto {
  @ApiProperty({ example: 'greet' })
  job_id!: string;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Null when the job was deleted while its runs finish.',
  })
  paused!: boolean | null;

  @ApiProperty({ type: 'integer', nullable: true })
  max_concurrent_runs!: number | null;
}

export class QueueLimitsDto {
  @ApiProperty({ type: 'integer', example: 10, description: 'How many runs may be at work at a time.' })
  concurrent_runs!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 100_000,
    description: 'How many accepted runs may wait for their first attempt; null without a limit.',
  })
  waiting_runs!: number | null;
}

export class QueueDto extends QueueLoadDto {
  @ApiProperty()
  limits!: QueueLimitsDto;

  @ApiProperty({
    type: [JobQueueDto],
    description: 'The jobs with runs that wait or are at work, the longest wait first.',
  })
  jobs!: JobQueueDto[];
}

export class QueueTenantDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiPropertyOptional({ type: String, example: 'acme', description: 'Of an organization.' })
  slug?: string;

  @ApiPropertyOptional({ type: String, example: 'acme', description: 'Of a project.' })
  ref?: string;

  @ApiPropertyOptional({
    type: String,
    example: 'Acme Inc.',
    description: 'Absent when the tenant was deleted while its runs finish.',
  })
  name?: string;
}

export class ThroughputDto {
  @ApiProperty({ type: 'integer', example: 240 })
  accepted!: number;

  @ApiProperty({ type: 'integer', example: 231, description: 'Completed, failed or cancelled.' })
  ended!: number;
}

export class TenantQueueDto extends QueueLoadDto {
  @ApiProperty()
  tenant!: QueueTenantDto;

  @ApiProperty({
    description:
      'Runs that were accepted, and that ended, in the last 60 minutes. The queue grows where more were accepted.',
  })
  last_hour!: ThroughputDto;
}

export class TenantQueuesQuery {
  @QueryCount({ maximum: 1000, absent: 100 })
  limit = 100;
}

function toLoadDto({ waiting, delayed, oldestWaitMs, running }: QueueLoad): QueueLoadDto {
  return { waiting, delayed, oldest_wait_ms: oldestWaitMs, at_work: running };
}

function toJobQueueDto(job: JobLoad): JobQueueDto {
  const { jobId, paused, maxConcurrentRuns } = job;
  return { job_id: jobId, ...toLoadDto(job), paused, max_concurrent_runs: maxConcurrentRuns };
}

export function toQueueDto(queue: TenantQueue): QueueDto {
  const limits = { concurrent_runs: queue.maxConcurrentRuns, waiting_runs: queue.maxWaitingRuns };
  return { ...toLoadDto(queue), limits, jobs: queue.jobs.map(toJobQueueDto) };
}

export function toTenantQueueDto(load: NamedTenantLoad): TenantQueueDto {
  return { tenant: { id: load.tenantId, ...load.names }, ...toLoadDto(load), last_hour: load.lastHour };
}
