import { Controller, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PrometheusController } from '@willsoto/nestjs-prometheus';
import type { FastifyReply } from 'fastify';
import { RunMetrics } from '../jobs/index.js';
import { Endpoint } from '../platform/http/index.js';

/** `GET /metrics` in Prometheus' text format. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController extends PrometheusController {
  constructor(private readonly runMetrics: RunMetrics) {
    super();
  }

  @Endpoint.get('', { access: 'public', summary: 'Metrics' })
  override async index(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    await this.runMetrics.measureDepth();
    return await super.index(reply);
  }
}
