import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentTenant, Endpoint } from '../../../http/index.js';
import type { Tenant } from '../../../http/index.js';
import { requireFullReach } from '../model/run-reach.js';
import {
  QueueDto,
  TenantQueueDto,
  TenantQueuesQuery,
  toQueueDto,
  toTenantQueueDto,
} from './dto/queue-state.js';
import { QueueState } from './queue-state.js';

@ApiTags('Jobs')
@Controller('jobs/v1/queue')
export class QueueStateController {
  constructor(private readonly queue: QueueState) {}

  @Endpoint.get('', {
    access: 'jobs:runs:read',
    summary: 'What waits and what is at work, by job',
    description: 'At most half a second old.',
    response: QueueDto,
  })
  async show(@CurrentTenant() tenant: Tenant): Promise<QueueDto> {
    requireFullReach(tenant);
    return toQueueDto(await this.queue.ofTenant(tenant.id));
  }
}

@ApiTags('Operator')
@Controller('admin/v1/queue')
export class OperatorQueueController {
  constructor(private readonly queue: QueueState) {}

  @Endpoint.get('', {
    access: 'operator',
    summary: 'What waits and what is at work, by tenant, the longest wait first',
    description:
      'Lists the tenants with runs that wait or are at work, at most half a second old. Of a tenant with more than 10,000 waiting runs, `waiting` ' +
      'is the number that its quota counts, which includes delayed triggers, and `delayed` is a lower bound.',
    response: [TenantQueueDto],
    errors: ['validation_failed'],
  })
  async list(@Query() { limit }: TenantQueuesQuery): Promise<TenantQueueDto[]> {
    return (await this.queue.list(limit)).map(toTenantQueueDto);
  }
}
