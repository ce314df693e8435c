import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { actorOf, AuditTrail, callerKey } from '../../audit/index.js';
import { newId } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { Caller, Origin, TenantId } from '../../http/index.js';
import { Tenancy, TenantDeletion } from '../../tenancy/index.js';
import { JobRepository } from '../definitions/index.js';
import { callingActor } from '../runs/enqueue/manual-trigger.js';
import { isFinal, RUN_STATUSES } from '../runs/model/run-status.js';
import type { RunStatus } from '../runs/model/run-status.js';
import type { RunFilters } from '../runs/search/run-filters.js';
import { RunLists } from '../runs/search/run-lists.js';
import type { Operation, OperationAction } from './operation.js';
import { OperationRepository } from './operation.repository.js';

/** Runs of one operation. A worker deals with them within minutes. */
export const MAX_RUNS = 10_000;
/** Operations of one tenant that have not completed. */
const MAX_UNFINISHED = 5;

export interface OperationRequest {
  readonly action: OperationAction;
  readonly filters: RunFilters;
  /** The filter as the audit log shows it. */
  readonly filter: Readonly<Record<string, unknown>>;
}

/** Retries or cancels all runs that match a filter. The runs are known before the operation begins. */
@Injectable()
export class Operations implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly operations: OperationRepository,
    private readonly lists: RunLists,
    private readonly jobs: JobRepository,
    private readonly tenancy: Tenancy,
    private readonly deletion: TenantDeletion,
    private readonly audit: AuditTrail,
  ) {}

  onModuleInit(): void {
    this.deletion.follow(async (tx, tenantId) => {
      // Under this lock, no operation of the tenant begins after the deletion.
      await this.jobs.lockTenant(tx, tenantId);
      await this.operations.deleteOfTenant(tx, tenantId);
    });
  }

  /**
   * The runs that an operation would deal with.
   * @throws too_many_runs, search_too_long, rate_limited, overloaded
   */
  async preview(
    tenantId: TenantId,
    { action, filters }: OperationRequest,
    caller: Caller,
  ): Promise<readonly string[]> {
    const statuses = statusesFor(action, filters.statuses);
    if (statuses.length === 0) return [];
    const found = await this.lists.findIds(
      tenantId,
      { ...filters, statuses },
      MAX_RUNS + 1,
      callerKey(caller),
    );
    if (found.length > MAX_RUNS) throw new ServiceError('too_many_runs');
    return found;
  }

  /**
   * Begins an operation; workers carry it out. Where no run matches there is none, and nothing is recorded: callers could
   * fill the trail and the table without changing anything.
   * @throws too_many_runs, search_too_long, limit_reached, rate_limited, overloaded
   */
  async begin(
    tenantId: TenantId,
    request: OperationRequest,
    caller: Caller,
    origin: Origin,
  ): Promise<{ id: string | null; matched: number }> {
    const runIds = await this.preview(tenantId, request, caller);
    if (runIds.length === 0) return { id: null, matched: 0 };
    const id = newId();
    const { action, filter } = request;
    await this.database.serialTransaction(tenantId, actorOf(caller), async (tx) => {
      if (!(await this.jobs.lockTenant(tx, tenantId))) throw new ServiceError(this.tenancy.goneRefusal);
      if ((await this.operations.countUnfinished(tx, tenantId)) >= MAX_UNFINISHED)
        throw new ServiceError('limit_reached', {
          hint: `${MAX_UNFINISHED} operations on runs have not completed; wait until one has.`,
        });
      const callingRunId = caller.type === 'run' ? caller.runId : null;
      const actor = callingActor(caller);
      await this.operations.insertOperation(tx, tenantId, { id, action, runIds, callingRunId, actor });
      await this.audit.append(tx, {
        actor: actorOf(caller),
        action: action === 'retry' ? 'runs.retried' : 'runs.cancelled',
        target: { type: 'run_operation', id },
        tenantId,
        userId: null,
        origin,
        details: { filter, matched: runIds.length },
      });
    });
    return { id, matched: runIds.length };
  }

  /** @throws operation_not_found */
  async find(tenantId: TenantId, id: string): Promise<Operation> {
    const operation = await this.operations.find(this.database.reader, tenantId, id);
    if (operation === null) throw new ServiceError('operation_not_found');
    return operation;
  }
}

/** Only ended runs can be retried, and only the others cancelled. */
function statusesFor(action: OperationAction, wanted: readonly RunStatus[] | null): readonly RunStatus[] {
  return (wanted ?? RUN_STATUSES).filter((status) => isFinal(status) === (action === 'retry'));
}
