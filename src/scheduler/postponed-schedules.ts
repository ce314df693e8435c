import { Injectable, Logger } from '@nestjs/common';
import { InjectMetric } from '@willsoto/nestjs-prometheus';
import { Counter } from 'prom-client';
import type { TenantId } from '../http/index.js';

export const SCHEDULES_POSTPONED = 'service_schedules_postponed_total';

const LOG_INTERVAL_MS = 60_000;
const MAX_NAMED_TENANTS = 5;

/**
 * Counts and logs schedules that wait because their tenant has reached a quota of waiting runs. A tenant may stay there
 * for hours, and its schedules are tried again every few seconds, so the log gets one line a minute at most.
 */
@Injectable()
export class PostponedSchedules {
  private readonly logger = new Logger(PostponedSchedules.name);
  private readonly tenants = new Set<TenantId>();
  private count = 0;
  private lastLoggedAt = -Infinity;

  constructor(@InjectMetric(SCHEDULES_POSTPONED) private readonly total: Counter) {}

  /** @param tenantIds one for each postponed schedule */
  record(tenantIds: readonly TenantId[], now = performance.now()): void {
    if (tenantIds.length === 0) return;
    this.total.inc(tenantIds.length);
    this.count += tenantIds.length;
    for (const id of tenantIds) if (this.tenants.size <= MAX_NAMED_TENANTS) this.tenants.add(id);
    if (now - this.lastLoggedAt < LOG_INTERVAL_MS) return;
    this.logger.warn(
      `postponed schedules (${this.count} times since the last such line): limits.waiting_runs or ` +
        `limits.waiting_payload_bytes is reached by ${this.namedTenants()}`,
    );
    this.lastLoggedAt = now;
    this.count = 0;
    this.tenants.clear();
  }

  private namedTenants(): string {
    const ids = [...this.tenants];
    const named = ids.slice(0, MAX_NAMED_TENANTS).join(', ');
    return ids.length > MAX_NAMED_TENANTS ? `${named} and others` : named;
  }
}
