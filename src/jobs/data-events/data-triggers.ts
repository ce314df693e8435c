import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { FieldProblem, TenantId } from '../../platform/http/index.js';
import { Tenancy } from '../../platform/tenancy/index.js';
import type { DataTriggerDto, JobTriggers, PlacedTrigger, TriggerKind } from '../triggers/index.js';
import { DataTriggerRepository } from './data-trigger.repository.js';
import { DatabaseTriggers } from './database-triggers.js';
import { schemaProblem, tableNameOf, tableProblem, watchesOf } from './watched-table.js';
import type { TableFacts, TableName } from './watched-table.js';

/** Triggers on the rows of tables (contract, section 7, data event trigger). */
@Injectable()
export class DataTriggers implements TriggerKind<DataTriggerDto> {
  readonly type = 'data';

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly triggers: DataTriggerRepository,
    private readonly databaseTriggers: DatabaseTriggers,
    private readonly tenancy: Tenancy,
  ) {}

  async problems(
    tx: Tx,
    _tenantId: TenantId,
    triggers: readonly PlacedTrigger<DataTriggerDto>[],
  ): Promise<FieldProblem[]> {
    if (triggers.length === 0) return [];
    const facts = await this.triggers.findFacts(
      tx,
      triggers.map(({ definition }) => tableNameOf(definition)),
      this.tenancy.rowColumn,
    );
    return triggers.flatMap((trigger, index) => this.problemsOf(trigger, facts[index]));
  }

  async apply(tx: Tx, tenantId: TenantId, jobs: readonly JobTriggers<DataTriggerDto>[]): Promise<void> {
    const left = await this.triggers.remove(
      tx,
      tenantId,
      jobs.map(({ jobId }) => jobId),
    );
    const watches = watchesOf(jobs.flatMap(({ triggers }) => triggers));
    await this.triggers.insert(tx, tenantId, watches);
    const tables = distinct([...left, ...watches]);
    if (tables.length > 0) await this.databaseTriggers.settle(tx, tables);
  }

  private problemsOf(
    { path, definition }: PlacedTrigger<DataTriggerDto>,
    facts: TableFacts | undefined,
  ): FieldProblem[] {
    const refusal =
      schemaProblem(tableNameOf(definition), this.config.jobs.dataEventSchemas) ??
      (facts === undefined ? null : tableProblem(facts, this.tenancy));
    if (refusal !== null) return [{ path: `${path}.table`, message: refusal }];
    return (definition.columns ?? []).flatMap((column, index) =>
      facts?.columns.includes(column) === true
        ? []
        : [{ path: `${path}.columns[${index}]`, message: `is not a column of ${definition.table}` }],
    );
  }
}

function distinct(tables: readonly TableName[]): TableName[] {
  return [...new Map(tables.map((table) => [`${table.schema}.${table.name}`, table])).values()];
}
