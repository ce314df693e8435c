import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { QueryCount, QueryInstant, CurrentTenant, Endpoint, ServiceError } from '../http/index.js';
import { Controller, Param, Query } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import type { Tenant } from '../http/index.js';
import { TimeSlice } from '../platform/lifecycle/index.js';
import { CronSchedule, nextInstants } from './cron/index.js';
import { CronTriggerRepository } from './cron-trigger.repository.js';

export class NextInstantsQuery {
  @QueryCount({ maximum: 100, absent: 5 })
  count = 5;

  @QueryInstant('The instants after this one; now when absent.')
  from?: string;
}

export class NextInstantsDto {
  @ApiProperty({ type: 'integer', example: 0, description: "Index within the job's triggers." })
  trigger!: number;

  @ApiProperty({ example: '0 6 * * 1-5' })
  schedule!: string;

  @ApiProperty({ example: 'Europe/Berlin' })
  timezone!: string;

  @ApiProperty({ type: [String], format: 'date-time', example: ['2026-01-05T05:00:00.000Z'] })
  next!: string[];
}

@ApiTags('Jobs')
@Controller('jobs/v1/jobs')
export class NextInstantsController {
  constructor(
    private readonly database: Database,
    private readonly triggers: CronTriggerRepository,
  ) {}

  @Endpoint.get(':id/next', {
    access: 'jobs:jobs:read',
    summary: 'When the schedules of a job fire next',
    description: 'One entry for each cron trigger, whether the job is paused or not.',
    response: [NextInstantsDto],
    errors: ['validation_failed', 'job_not_found'],
  })
  async list(
    @CurrentTenant() tenant: Tenant,
    @Param('id') jobId: string,
    @Query() query: NextInstantsQuery,
  ): Promise<NextInstantsDto[]> {
    const found = await this.triggers.ofJob(this.database.reader, tenant.id, jobId);
    if (found === null) throw new ServiceError('job_not_found');
    const from = query.from === undefined ? found.now : new Date(query.from);
    const slice = new TimeSlice();
    const answer: NextInstantsDto[] = [];
    for (const { position, schedule, timezone } of found.triggers) {
      const next: string[] = [];
      const parsed = CronSchedule.parse(schedule);
      // One instant at a time: for some schedules, a hundred instants take tens of milliseconds, and a job may have
      // many.
      for (let last: Date | undefined = from; last !== undefined && next.length < query.count;) {
        await slice.yieldIfSpent();
        [last] = nextInstants(parsed, timezone, last, 1);
        if (last !== undefined) next.push(last.toISOString());
      }
      answer.push({ trigger: position, schedule, timezone, next });
    }
    return answer;
  }
}
