import { Controller, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Endpoint } from '../platform/http/index.js';
import { HealthDto, ProbeDto } from './health.dto.js';
import { Health } from './health.js';

@ApiTags('Operation')
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Endpoint.get('', {
    access: 'public',
    summary: 'State of the deployment',
    description: '503, with the same body, when Postgres does not answer.',
    response: HealthDto,
  })
  @ApiResponse({ status: 503, type: HealthDto, description: 'Postgres does not answer.' })
  async show(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthDto> {
    const report = await this.health.report();
    if (report.status === 'down') void reply.status(503);
    return report;
  }

  @Endpoint.get('live', { access: 'public', summary: 'Whether the process runs', response: ProbeDto })
  live(): ProbeDto {
    return { status: 'ok' };
  }

  @Endpoint.get('ready', {
    access: 'public',
    summary: 'Whether this instance can take traffic',
    description: '503 while it starts and while it drains.',
    response: ProbeDto,
  })
  @ApiResponse({
    status: 503,
    type: ProbeDto,
    description: 'It starts, drains, or has a Redis that loses data.',
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ProbeDto> {
    if (await this.health.isReady()) return { status: 'ok' };
    void reply.status(503);
    return { status: 'down' };
  }
}
