import { Controller, Res } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';
import { PrometheusController } from '@willsoto/nestjs-prometheus';
import type { FastifyReply } from 'fastify';
import { RunMetrics } from '../jobs/index.js';
import { Endpoint } from '../platform/http/index.js';

/** `GET /metrics` in Prometheus' text format. */
@ApiTags('Operation')
@Controller('metrics')
export class MetricsController extends PrometheusController {
  constructor(private readonly runMetrics: RunMetrics) {
    super();
  }

  @Endpoint.get('', {
    access: 'public',
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
