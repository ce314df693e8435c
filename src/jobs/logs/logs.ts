import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { pageOf, ServiceError } from '../../http/index.js';
import type { Page, TenantId } from '../../http/index.js';
import type { LineOrder, LogFilter, LogLine } from './log-line.js';
import { LogRepository } from './log.repository.js';

/** Bytes of messages on one page, so that serializing it does not block other requests. */
const MAX_PAGE = 1024 * 1024;

/** Which page of a list. */
export interface LinePage {
  readonly order: LineOrder;
  /** The id of the last line of the page before; null for the first page. */
  readonly cursor: bigint | null;
  readonly limit: number;
}

/** The logs of a tenant's runs. */
@Injectable()
export class Logs {
  constructor(
    private readonly database: Database,
    private readonly logs: LogRepository,
  ) {}

  /** @throws run_not_found */
  async list(
    tenantId: TenantId,
    filter: LogFilter,
    { order, cursor, limit }: LinePage,
  ): Promise<Page<LogLine>> {
    await this.requireRun(tenantId, filter);
    const { reader } = this.database;
    const bounds =
      order === 'asc'
        ? { after: cursor ?? 0n, upTo: null }
        : { after: 0n, upTo: cursor === null ? null : cursor - 1n };
    const range = { ...bounds, limit: limit + 1, maxBytes: MAX_PAGE, order };
    const { lines, isAll } = await this.logs.list(reader, tenantId, filter, range);
    // The line beyond the limit, by number or by bytes, starts the next page. A page has at least one line.
    return pageOf(lines, isAll ? limit : Math.max(lines.length - 1, 1), ({ id }) => id);
  }

  /**
   * The id after which a stream begins: a run's stream with its history, the general stream with new lines.
   * @throws run_not_found
   */
  async start(tenantId: TenantId, filter: LogFilter): Promise<bigint> {
    await this.requireRun(tenantId, filter);
    return filter.runId === null && filter.since === null ? await this.logs.last(this.database.reader) : 0n;
  }

  private async requireRun(tenantId: TenantId, { runId }: LogFilter): Promise<void> {
    if (runId === null) return;
    if ((await this.logs.findRun(this.database.reader, tenantId, runId)) === null)
      throw new ServiceError('run_not_found');
  }
}
