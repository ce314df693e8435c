import type { DataSource } from 'typeorm';
import { firstRow, rows } from '../database.js';
import type { Reader, SelectText } from '../database.js';
import { quotedName } from './session-settings.js';

/** How the database stands to the migrations of this release. */
export interface MigrationState {
  readonly waitingMigrations: number;
  /** Names of those that ran and are none of this release. */
  readonly unknownMigrations: readonly string[];
  /** Whether none ran. */
  readonly isEmpty: boolean;
}

/** Names alone do not find what is in a schema that the account may not use. */
const LISTED: SelectText = `SELECT has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(pg_class.oid, 'SELECT') AS may
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relname = 'migrations'`;

/** TypeORM's own answer would create the table of migrations, and fail where its schema does not exist. */
export async function migrationState(
  reader: Reader,
  { migrations }: DataSource,
  schema: string,
): Promise<MigrationState> {
  const known = migrations.map((migration) => migration.name ?? migration.constructor.name);
  const listed = await firstRow<{ may: boolean }>(reader, LISTED, [schema]);
  if (listed?.may !== true)
    return {
      waitingMigrations: listed === null ? known.length : 0,
      unknownMigrations: [],
      isEmpty: listed === null,
    };
  const names: SelectText = `SELECT name FROM ${quotedName(schema)}.migrations ORDER BY id`;
  const ran = (await rows<{ name: string }>(reader, names)).map(({ name }) => name);
  return {
    waitingMigrations: known.filter((name) => !ran.includes(name)).length,
    unknownMigrations: ran.filter((name) => !known.includes(name)),
    isEmpty: ran.length === 0,
  };
}
