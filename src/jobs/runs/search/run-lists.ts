import { Injectable } from '@nestjs/common';
import { Database, isStatementTimeout } from '../../../platform/database/index.js';
import type { Reader, Tx } from '../../../platform/database/index.js';
import { decodeCursor, encodeCursor, Page, pageOf, ServiceError } from '../../../http/index.js';
import type { TenantId } from '../../../http/index.js';
import { Searches } from '../../../limits/index.js';
import type { Searcher } from '../../../limits/index.js';
import type { Run, RunDetails } from '../model/run.js';
import { firstRunIdAt, RUN_ID } from '../model/run-id.js';
import { RunRepository } from '../model/run.repository.js';
import { hasLists, isIndexed } from './run-filters.js';
import type { RunFilters } from './run-filters.js';
import { RunListRepository } from './run-list.repository.js';
import type { SortedPosition, SortKey } from './run-list.repository.js';

export const RUN_ORDERS = ['created_at', 'started_at', 'duration'] as const;
export type RunOrder = (typeof RUN_ORDERS)[number];

const ID = RUN_ID.source.slice(1, -1);

/** How many times `findIds` examines as many runs as one page does. */
const MAX_PARTS = 20;

export interface RunListRequest {
  readonly filters: RunFilters;
  /** Who searches, as `callerKey` names them. */
  readonly caller: string;
  readonly order: RunOrder;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Finds the runs of a tenant: one by its id, others by filters, in pages. No page reads all runs of a tenant. */
@Injectable()
export class RunLists {
  constructor(
    private readonly database: Database,
    private readonly runs: RunRepository,
    private readonly lists: RunListRepository,
    private readonly searches: Searches,
  ) {}

  /** @throws run_not_found */
  async find(tenantId: TenantId, id: string, ownerId: string | null = null): Promise<RunDetails> {
    const run = await this.runs.findById(this.database.reader, tenantId, id, ownerId);
    if (run === null) throw new ServiceError('run_not_found');
    return run;
  }

  /**
   * A page that no index serves may have fewer runs than `limit`, or none, although later pages have more.
   * @throws validation_failed for a cursor of another list; search_too_long, rate_limited, overloaded
   */
  async list(tenantId: TenantId, request: RunListRequest): Promise<Page<Run>> {
    const { filters, caller, order, limit, cursor } = request;
    if (order !== 'created_at') return await this.sorted(tenantId, request, order);
    const before = decodeCursor(cursor, RUN_ID);
    if (!isIndexed(filters))
      return await this.search({ tenant: tenantId, caller }, (tx) =>
        this.examined(tx, tenantId, filters, limit, before),
      );
    const listed = (handle: Tx | Reader): Promise<Run[]> =>
      this.lists.list(handle, tenantId, filters, limit + 1, before);
    const found = hasLists(filters)
      ? await this.search({ tenant: tenantId, caller }, listed)
      : await listed(this.database.reader);
    return pageOf(found, limit, (last) => last.id);
  }

  /**
   * The ids of at most `most` runs that match the filters, newest first.
   * @throws search_too_long, also when the filters without an index would have to examine too many runs; rate_limited,
   *   overloaded
   */
  async findIds(tenantId: TenantId, filters: RunFilters, most: number, caller: string): Promise<string[]> {
    return await this.searches.run({ tenant: tenantId, caller }, (step) =>
      this.findParts(tenantId, filters, most, (search) => step(() => this.limited(search))),
    );
  }

  private async findParts(
    tenantId: TenantId,
    filters: RunFilters,
    most: number,
    step: <Result>(search: (tx: Tx) => Promise<Result>) => Promise<Result>,
  ): Promise<string[]> {
    const found: string[] = [];
    let before: string | null = null;
    for (let part = 0; part < MAX_PARTS; part += 1) {
      const rest = most - found.length;
      const start: string | null = before;
      const ids = await step((tx) => this.lists.examine(tx, tenantId, filters, rest, start));
      found.push(...ids.map(({ id }) => id));
      if (found.length >= most) return found;
      before = await step((tx) => this.lists.lastExamined(tx, tenantId, filters, start));
      if (before === null) return found;
    }
    throw new ServiceError('search_too_long');
  }

  private async examined(
    tx: Tx,
    tenantId: TenantId,
    filters: RunFilters,
    limit: number,
    before: string | null,
  ): Promise<Page<Run>> {
    const found = await this.lists.examine(tx, tenantId, filters, limit + 1, before);
    if (found.length > limit) return pageOf(found, limit, (last) => last.id);
    const last = await this.lists.lastExamined(tx, tenantId, filters, before);
    return new Page(found, last === null ? null : encodeCursor(last));
  }

  private async sorted(
    tenantId: TenantId,
    { filters, caller, limit, cursor }: RunListRequest,
    key: SortKey,
  ): Promise<Page<Run>> {
    const after = sortedPositionOf(cursor, key);
    const upTo = after?.upTo ?? firstRunIdAt(new Date());
    const found = await this.search({ tenant: tenantId, caller }, (tx) =>
      this.lists.listSorted(tx, tenantId, filters, limit + 1, { key, after }),
    );
    return pageOf(found, limit, ({ sortMicros, id }) => [key, upTo, sortMicros, id].join(' '));
  }

  /** @throws search_too_long, rate_limited, overloaded */
  private async search<Result>(searcher: Searcher, search: (tx: Tx) => Promise<Result>): Promise<Result> {
    return await this.searches.run(searcher, (step) => step(() => this.limited(search)));
  }

  /** @throws search_too_long */
  private async limited<Result>(search: (tx: Tx) => Promise<Result>): Promise<Result> {
    try {
      return await this.database.transaction(async (tx) => {
        await this.lists.limitStatements(tx);
        return await search(tx);
      });
    } catch (error) {
      if (isStatementTimeout(error)) throw new ServiceError('search_too_long');
      throw error;
    }
  }
}

/** @throws validation_failed for a cursor of another list */
function sortedPositionOf(cursor: string | undefined, key: SortKey): SortedPosition | null {
  const text = decodeCursor(cursor, new RegExp(`^${key} ${ID} -?\\d{1,17} ${ID}$`));
  if (text === null) return null;
  const [, upTo = '', micros = '', id = ''] = text.split(' ');
  return { upTo, micros, id };
}
