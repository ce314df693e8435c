import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentTenant, Endpoint } from '../../../http/index.js';
import type { Tenant } from '../../../http/index.js';
import { requireFullReach } from '../model/run-reach.js';
import { RunStatsPointDto, RunStatsQuery, toPointDto } from './dto/run-stats.js';
import { RunStats } from './run-stats.js';

@ApiTags('Jobs')
@Controller('jobs/v1/stats')
export class RunStatsController {
  constructor(private readonly stats: RunStats) {}

  @Endpoint.get('', {
    access: 'jobs:runs:read',
    summary: 'How many runs were accepted and ended, and how long they took, by interval',
    description:
      'One point for each interval, also where nothing happened. Includes what was committed a moment ago. Intervals of ' +
      '1m and 5m reach back 14 days, of 1h 100 days, of 1d five years.',
    response: [RunStatsPointDto],
    errors: ['validation_failed'],
  })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: RunStatsQuery): Promise<RunStatsPointDto[]> {
    requireFullReach(tenant);
    const points = await this.stats.series(tenant.id, query.job_id ?? null, query.interval, query);
    return points.map(toPointDto);
  }
}
