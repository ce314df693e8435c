import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { FieldProblem, FieldProblems, TenantId } from '../../http/index.js';
import { TimeSlice } from '../../platform/lifecycle/index.js';
import { Tenancy } from '../../tenancy/index.js';
import type {
  DataTriggerDto,
  JobTriggers,
  DeclaredTrigger,
  TriggerFault,
  TriggerKind,
} from '../triggers/index.js';
import { DataTriggerRepository } from './data-trigger.repository.js';
import { DatabaseTriggers } from './database-triggers.js';
import {
  missingColumns,
  placeProblem,
  schemaProblem,
  tableNameOf,
  tableProblem,
  watchesOf,
} from './watched-table.js';
import type { TableFacts, TableName } from './watched-table.js';

/** Triggers on row changes (contract, section 7, data event trigger). */
@Injectable()
export class DataTriggers implements TriggerKind<DataTriggerDto> {
  readonly type = 'data';

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly triggers: DataTriggerRepository,
    private readonly databaseTriggers: DatabaseTriggers,
    private readonly tenancy: Tenancy,
  ) {}

  async findProblems(
    tx: Tx,
    _tenantId: TenantId,
    triggers: readonly DeclaredTrigger<Partial<DataTriggerDto> & { type: 'data' }>[],
    problems: FieldProblems,
  ): Promise<void> {
    const named = triggers.flatMap(({ jobId, path, definition: { table, columns } }) =>
      table === undefined ? [] : [{ jobId, path, table, columns: columns ?? [] }],
    );
    if (named.length === 0) return;
    const watchedByJob = new Map<string, string[]>();
    for (const { jobId, table } of named) {
      const tablesOfJob = watchedByJob.get(jobId) ?? [];
      tablesOfJob.push(table);
      watchedByJob.set(jobId, tablesOfJob);
    }
    const tables = [...new Set(named.map(({ table }) => table))];
    const names = tables.map((table) => tableNameOf({ table }));
    const found = await this.triggers.findFacts(tx, names, this.tenancy.rowColumn);
    const facts = new Map(tables.map((table, index) => [table, found[index]]));
    const slice = new TimeSlice();
    for (const trigger of named) {
      await slice.yieldIfSpent();
      this.addProblems(problems, trigger, facts.get(trigger.table), watchedByJob.get(trigger.jobId) ?? []);
    }
  }

  async apply(tx: Tx, tenantId: TenantId, jobs: readonly JobTriggers<DataTriggerDto>[]): Promise<void> {
    const left = await this.triggers.remove(
      tx,
      tenantId,
      jobs.map(({ jobId }) => jobId),
    );
    const watches = watchesOf(jobs.flatMap(({ triggers }) => triggers));
    await this.triggers.insertWatches(tx, tenantId, watches);
    const tables = distinct([...left, ...watches]);
    if (tables.length > 0) await this.databaseTriggers.reconcile(tx, tables);
  }

  async restore(tx: Tx, triggers: readonly DeclaredTrigger<DataTriggerDto>[]): Promise<void> {
    const tables = distinct(triggers.map(({ definition }) => tableNameOf(definition)));
    if (tables.length === 0) return;
    // Without the lock: that most manifests find nothing to restore must not make them wait for each other.
    if ((await this.triggers.findDifferences(tx, tables)).length > 0)
      await this.databaseTriggers.reconcile(tx, tables);
  }

  async findFaults(
    handle: Tx | Reader,
    triggers: readonly DeclaredTrigger<DataTriggerDto>[],
  ): Promise<TriggerFault[]> {
    const names = distinct(triggers.map(({ definition }) => tableNameOf(definition)));
    const facts = await this.triggers.findFacts(handle, names, this.tenancy.rowColumn);
    const factsOf = new Map(names.map(({ schema, name }, index) => [`${schema}.${name}`, facts[index]]));
    return triggers.flatMap(({ jobId, path, definition }) => {
      const { schema, name } = tableNameOf(definition);
      const faults = this.faultsOf(definition, factsOf.get(`${schema}.${name}`));
      return faults.map((fault) => ({ jobId, message: fault.message, path: `${path}.${fault.path}` }));
    });
  }

  private faultsOf({ table, columns = [] }: DataTriggerDto, facts: TableFacts | undefined): FieldProblem[] {
    const problem = facts === undefined ? null : tableProblem(facts, this.tenancy);
    if (problem !== null)
      return [{ path: 'table', message: `${table} ${problem}: its changes do not trigger the job` }];
    return missingColumns(facts, columns).map((column) => ({
      path: `columns[${columns.indexOf(column)}]`,
      message: `${table} no longer has the column ${column}: every update triggers the job`,
    }));
  }

  private addProblems(
    problems: FieldProblems,
    { path, table, columns }: NamedTable,
    facts: TableFacts | undefined,
    watchedByJob: readonly string[],
  ): void {
    const refusal =
      schemaProblem(tableNameOf({ table }), this.config.jobs.dataEventSchemas) ??
      (facts === undefined ? null : (tableProblem(facts, this.tenancy) ?? placeProblem(facts, watchedByJob)));
    if (refusal !== null) {
      problems.add(`${path}.table`, refusal);
      return;
    }
    const known = new Set(facts?.columns);
    for (const [index, column] of columns.entries())
      if (!known.has(column)) problems.add(`${path}.columns[${index}]`, `is not a column of ${table}`);
      else if (facts?.virtualColumns.includes(column) === true)
        problems.add(
          `${path}.columns[${index}]`,
          'is a virtual generated column, whose values triggers do not see; name the columns that it is made from',
        );
  }
}

/** A trigger that names the table it watches. */
interface NamedTable {
  readonly jobId: string;
  readonly path: string;
  readonly table: string;
  readonly columns: readonly string[];
}

function distinct(tables: readonly TableName[]): TableName[] {
  return [...new Map(tables.map((table) => [`${table.schema}.${table.name}`, table])).values()];
}
