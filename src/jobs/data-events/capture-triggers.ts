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
  /** Whether it fires before or after all triggers of others; undefined where that does not matter. */
  readonly order?: 'first' | 'last';
  /** From `AFTER` to the function. `$relation` stands for the table, `$key` for the key of the watched table. */
  readonly definition: string;
}

const CHANGES = ['insert', 'update', 'delete'] as const;
const TRANSITION_TABLES = {
  insert: 'NEW TABLE AS new_rows',
  update: 'NEW TABLE AS new_rows OLD TABLE AS old_rows',
  delete: 'OLD TABLE AS old_rows',
};

/** Begin the names of triggers, which fire in the order of the bytes of their names. */
const NAME_PREFIXES = { first: ' ', last: '\u{10FFFD}' };

/** A row by its physical location, which no other row takes in the same transaction. */
const ROW = `OLD.tableoid::text || OLD.ctid::text`;
/** A setting for each depth: what triggers of other people write meanwhile is one deeper. */
const MOVE = `'service.move_$key_' || pg_trigger_depth()`;
const STATE = `coalesce(current_setting(${MOVE}, true), '')`;
const LOST = `coalesce(current_setting('service.lost_$key', true), '')`;

function become(state: string): string {
  return `set_config(${MOVE}, ${state}, true)`;
}

/** The condition of a trigger that never fires, since `concat` is never null: it notes the next state. */
function note(lostAfter: string, state: string): string {
  return `WHEN (concat(
    CASE WHEN ${STATE} ~ '^(?:${lostAfter}) '
         THEN set_config('service.lost_$key', ${LOST} || substring(${STATE} FROM ' .*'), true) END,
    ${become(state)}) IS NULL)`;
}

/**
 * PostgreSQL carries out an update that moves a row to another partition as BEFORE UPDATE, BEFORE DELETE, AFTER DELETE, BEFORE
 * INSERT and AFTER INSERT triggers, and evaluates the conditions of all of them at once, while it works on the row. So the
 * conditions can follow a row from state to state, in a setting of the transaction:
 *
 *     updating → leaving → left → arriving → (arrived)
 *
 * Another row begins only after that: if one has left and not arrived, a trigger of the table's owner has cancelled the arrival,
 * and its location is added to `service.lost_…`, which the capture function looks up. docs/decisions/0128 has the cases.
 */
const MOVES: readonly CaptureTrigger[] = [
  {
    event: null,
    purpose: 'updating',
    // Later than the triggers of others, which may cancel the update.
    order: 'last',
    definition: `BEFORE UPDATE ON $relation FOR EACH ROW ${note('left|arriving', `'updating ' || ${ROW}`)}`,
  },
  {
    event: null,
    purpose: 'leaving',
    // Sooner than the triggers of others, which may cancel the deletion.
    order: 'first',
    definition: `BEFORE DELETE ON $relation FOR EACH ROW
      ${note('left|arriving', `CASE ${STATE} WHEN 'updating ' || ${ROW} THEN 'leaving ' || ${ROW} ELSE '' END`)}`,
  },
  {
    event: 'delete',
    purpose: 'delete',
    definition: `AFTER DELETE ON $relation FOR EACH ROW WHEN (${STATE} <> 'leaving ' || ${ROW})`,
  },
  {
    event: null,
    purpose: 'moved_from',
    definition: `AFTER DELETE ON $relation FOR EACH ROW
      WHEN (${STATE} = 'leaving ' || ${ROW} AND ${become(`'left ' || ${ROW}`)} <> '')`,
  },
  {
    event: null,
    purpose: 'arriving',
    order: 'first',
    definition: `BEFORE INSERT ON $relation FOR EACH ROW
      ${note('arriving', `CASE WHEN ${STATE} LIKE 'left %' THEN replace(${STATE}, 'left', 'arriving') ELSE '' END`)}`,
  },
  {
    event: 'insert',
    purpose: 'insert',
    definition: `AFTER INSERT ON $relation FOR EACH ROW WHEN (${STATE} NOT LIKE 'arriving %')`,
  },
  {
    // By its name it comes after `insert`, as `moved_from` after `delete`: the conditions of those depend on the state.
    event: null,
    purpose: 'moved_to',
    definition: `AFTER INSERT ON $relation FOR EACH ROW WHEN (${STATE} LIKE 'arriving %' AND ${become(`''`)} = '')`,
  },
  { event: 'update', purpose: 'update', definition: 'AFTER UPDATE ON $relation FOR EACH ROW' },
].map((trigger) => ({ ...trigger, enabled: 'A', isByRow: true }) as CaptureTrigger);

/** The name of a trigger, but for the key of the watched table at its end. */
export function nameOf({ order, purpose }: Pick<CaptureTrigger, 'order' | 'purpose'>): string {
  return `${order === undefined ? '' : NAME_PREFIXES[order]}service_data_${purpose}`;
}

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

/** The table that a trigger is made on, and what its function gets. */
interface TriggerTarget {
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
  { triggerName, key, relation, names }: TriggerTarget,
): string {
  const clause = definition.replaceAll('$key', key).replaceAll('$relation', () => relation);
  const capture = isByRow ? 'capture_data_event' : 'capture_data_events';
  const created = `CREATE TRIGGER ${triggerName} ${clause} EXECUTE FUNCTION ${capture}(${names.join(', ')}, '${purpose}')`;
  if (enabled === 'O') return created;
  const mode = enabled === 'R' ? 'REPLICA' : 'ALWAYS';
  return `${created}; ALTER TABLE ${relation} ENABLE ${mode} TRIGGER ${triggerName}`;
}
