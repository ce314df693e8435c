/** How the changes of a table are captured, by what kind of table it is. */
export type CaptureScope =
  /** By statements: tables that are neither a partition nor inherit from another, and what inherits from them. */
  | 'statements'
  /** Row by row: tables that statements on other tables write to, because they are partitions or inherit. */
  | 'rows'
  /** Row by row, as `rows`, in a partitioned table, between whose partitions rows move. */
  | 'partitions';

export interface CaptureTrigger {
  /** The event that needs the trigger; null when any does. */
  readonly event: 'insert' | 'update' | 'delete' | null;
  /** `tgenabled` of pg_trigger: the trigger fires but for replication (O), for it alone (R), or always (A). */
  readonly enabled: 'O' | 'R' | 'A';
  readonly isByRow: boolean;
  /** The last argument of its function, and part of its name. */
  readonly purpose: string;
  /** From `AFTER` to the function. `$relation` stands for the table, `$key` for the key of the watched table. */
  readonly definition: string;
}

const CHANGES = ['insert', 'update', 'delete'] as const;
const TRANSITION_TABLES = {
  insert: 'NEW TABLE AS new_rows',
  update: 'NEW TABLE AS new_rows OLD TABLE AS old_rows',
  delete: 'OLD TABLE AS old_rows',
};

/** The row that an update is about to replace, wherever it is stored. */
const OLD_ROW = 'OLD.tableoid::text || OLD.ctid::text';
const IS_UPDATED = `current_setting('service.updated_row_$key', true) = ${OLD_ROW}`;
const HAS_DEPARTED = `current_setting('service.moving_$key', true) = 'on'`;

/**
 * PostgreSQL carries out an update that moves a row to another partition as BEFORE UPDATE, DELETE and INSERT triggers, and
 * evaluates the conditions of all of them at once, while it works on the row. So settings of the transaction tell which
 * row is being updated, and, between its deletion and its insertion, that it is moving.
 */
const MOVES: readonly CaptureTrigger[] = [
  {
    event: null,
    purpose: 'updating',
    // Never fires. By its name it comes after the BEFORE triggers of others, which may cancel the update.
    definition: `BEFORE UPDATE ON $relation FOR EACH ROW
      WHEN (set_config('service.updated_row_$key', ${OLD_ROW}, true) IS NULL)`,
  },
  {
    event: 'insert',
    purpose: 'insert',
    definition: `AFTER INSERT ON $relation FOR EACH ROW WHEN ((${HAS_DEPARTED}) IS NOT TRUE)`,
  },
  { event: 'update', purpose: 'update', definition: 'AFTER UPDATE ON $relation FOR EACH ROW' },
  {
    event: 'delete',
    purpose: 'delete',
    definition: `AFTER DELETE ON $relation FOR EACH ROW WHEN ((${IS_UPDATED}) IS NOT TRUE)`,
  },
  {
    event: null,
    purpose: 'moved_from',
    definition: `AFTER DELETE ON $relation FOR EACH ROW
      WHEN (${IS_UPDATED} AND set_config('service.moving_$key', 'on', true) = 'on')`,
  },
  {
    // By its name it comes after `insert`, whose condition depends on the setting.
    event: null,
    purpose: 'moved_to',
    definition: `AFTER INSERT ON $relation FOR EACH ROW
      WHEN (${HAS_DEPARTED} AND set_config('service.moving_$key', 'off', true) = 'off')`,
  },
].map((trigger) => ({ ...trigger, enabled: 'A', isByRow: true }) as CaptureTrigger);

export const CAPTURE_TRIGGERS: Readonly<Record<CaptureScope, readonly CaptureTrigger[]>> = {
  statements: [
    ...CHANGES.map((event) => ({
      event,
      enabled: 'O' as const,
      isByRow: false,
      purpose: event,
      definition: `AFTER ${event} ON $relation REFERENCING ${TRANSITION_TABLES[event]} FOR EACH STATEMENT`,
    })),
    // What replication applies fires no triggers of statements.
    {
      event: null,
      enabled: 'R',
      isByRow: true,
      purpose: 'replica',
      definition: 'AFTER INSERT OR UPDATE OR DELETE ON $relation FOR EACH ROW',
    },
  ],
  rows: CHANGES.map((event) => ({
    event,
    enabled: 'A',
    isByRow: true,
    purpose: event,
    definition: `AFTER ${event} ON $relation FOR EACH ROW`,
  })),
  partitions: MOVES,
};

/** A trigger that is to be made. */
interface Placed {
  readonly triggerName: string;
  readonly key: string;
  /** In SQL notation. */
  readonly relation: string;
  /** Arguments of the function, as SQL. */
  readonly names: readonly [schema: string, table: string, tenantColumn: string];
}

/** The statements that make a trigger. */
export function creationOf(
  { definition, isByRow, purpose, enabled }: CaptureTrigger,
  { triggerName, key, relation, names }: Placed,
): string {
  const place = definition.replaceAll('$key', key).replaceAll('$relation', () => relation);
  const capture = isByRow ? 'capture_data_event' : 'capture_data_events';
  const created = `CREATE TRIGGER ${triggerName} ${place} EXECUTE FUNCTION ${capture}(${names.join(', ')}, '${purpose}')`;
  if (enabled === 'O') return created;
  const mode = enabled === 'R' ? 'REPLICA' : 'ALWAYS';
  return `${created}; ALTER TABLE ${relation} ENABLE ${mode} TRIGGER ${triggerName}`;
}
