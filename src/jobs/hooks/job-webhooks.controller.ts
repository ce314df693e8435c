import { Controller, Param } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { CurrentTenant, Endpoint } from '../../http/index.js';
import type { Tenant } from '../../http/index.js';
import { Hooks } from './hooks.js';

export class JobWebhookDto {
  @ApiProperty({ example: '/hooks/github' })
  path!: string;

  @ApiProperty({ example: 'POST' })
  method!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When a call was refused last; of many in one second, the first.',
  })
  refused_at!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'invalid_signature',
    description: 'The code of the error that this call got.',
  })
  refused_code!: string | null;
}

@ApiTags('Jobs')
@Controller('jobs/v1/jobs')
export class JobWebhooksController {
  constructor(private readonly hooks: Hooks) {}

  @Endpoint.get(':id/webhooks', {
    access: 'jobs:jobs:read',
    summary: 'The webhooks of a job, and why a call of each was refused last',
    description:
      'Calls that were accepted are runs of the job. A body that is too large or compressed is refused unread, and not noted.',
    response: [JobWebhookDto],
    errors: ['job_not_found'],
  })
  async list(@CurrentTenant() tenant: Tenant, @Param('id') jobId: string): Promise<JobWebhookDto[]> {
    const hooks = await this.hooks.statesOfJob(tenant.id, jobId);
    return hooks.map(({ name, method, refusedAt, refusedCode }) => ({
      path: `/hooks/${name}`,
      method,
      refused_at: refusedAt?.toISOString() ?? null,
      refused_code: refusedCode,
    }));
  }
}
