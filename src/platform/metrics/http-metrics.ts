import { Injectable } from '@nestjs/common';
import { InjectMetric } from '@willsoto/nestjs-prometheus';
import { Histogram } from 'prom-client';

export const HTTP_DURATION = 'service_http_request_duration_seconds';

@Injectable()
export class HttpMetrics {
  constructor(@InjectMetric(HTTP_DURATION) private readonly duration: Histogram) {}

  /** @param route the route's template, never the path that was asked for: its values are without bound */
  answered(method: string, route: string, status: number, seconds: number): void {
    this.duration.observe({ method, route, status: String(status) }, seconds);
  }
}
