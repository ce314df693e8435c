import { Controller, Res } from '@nestjs/common';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { PrometheusController } from '@willsoto/nestjs-prometheus';
import type { FastifyReply } from 'fastify';
import { RunMetrics } from '../jobs/index.js';
import { Endpoint } from '../http/index.js';
import { Health, HealthDto, ProbeDto } from './health.js';

@ApiTags('Operation')
@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Endpoint.get('', {
    access: 'public',
    ignoresUnread: true,
    summary: 'State of the deployment',
    description: '503, with the same body, when Postgres does not answer or takes no writes.',
    response: HealthDto,
  })
  @ApiResponse({ status: 503, type: HealthDto, description: 'Postgres does not answer, or takes no writes.' })
  async show(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthDto> {
    const report = await this.health.report();
    if (report.status === 'down') void reply.status(503);
    return report;
  }

  @Endpoint.get('live', {
    access: 'public',
    ignoresUnread: true,
    summary: 'Whether the process runs',
    response: ProbeDto,
  })
  live(): ProbeDto {
    return { status: 'ok' };
  }

  @Endpoint.get('ready', {
    access: 'public',
    ignoresUnread: true,
    summary: 'Whether this instance can take traffic',
    description: '503 while it starts and while it drains, or when Postgres or Redis refuses to work.',
    response: ProbeDto,
  })
  @ApiResponse({
    status: 503,
    type: ProbeDto,
    description:
      'It starts, drains, or has a Postgres or Redis that refuses to work, or a Redis that loses data.',
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ProbeDto> {
    if (await this.health.isReady()) return { status: 'ok' };
    void reply.status(503);
    return { status: 'down' };
  }
}

/** `GET /metrics` in Prometheus' text format. */
@ApiTags('Operation')
@Controller('metrics')
export class MetricsController extends PrometheusController {
  constructor(private readonly runMetrics: RunMetrics) {
    super();
  }

  @Endpoint.get('', {
    access: 'public',
    ignoresUnread: true,
    summary: 'Metrics of this instance',
    description: 'In the text format of Prometheus.',
    response: String,
  })
  @ApiProduces('text/plain')
  override async index(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    await this.runMetrics.measureDepth();
    return await super.index(reply);
  }
}
