import type { DataSource } from 'typeorm';
import { firstRow, rows } from '../database.js';
import type { Reader } from '../database.js';

/** How the database stands to the migrations of this release. */
export interface MigrationState {
  readonly waitingMigrations: number;
  /** Names of those that ran and are none of this release. */
  readonly unknownMigrations: readonly string[];
  /** Whether none ran. */
  readonly isEmpty: boolean;
}

/** TypeORM's own answer would create the table of migrations, and fail where its schema does not exist. */
export async function migrationState(reader: Reader, { migrations }: DataSource): Promise<MigrationState> {
  const known = migrations.map((migration) => migration.name ?? migration.constructor.name);
  const listed = await firstRow<{ may: boolean | null }>(
    reader,
    `SELECT has_table_privilege(to_regclass('migrations'), 'SELECT') AS may`,
  );
  if (listed?.may !== true)
    return {
      waitingMigrations: listed?.may === false ? 0 : known.length,
      unknownMigrations: [],
      isEmpty: listed?.may !== false,
    };
  const ran = (await rows<{ name: string }>(reader, 'SELECT name FROM migrations ORDER BY id')).map(
    ({ name }) => name,
  );
  return {
    waitingMigrations: known.filter((name) => !ran.includes(name)).length,
    unknownMigrations: ran.filter((name) => !known.includes(name)),
    isEmpty: ran.length === 0,
  };
}
