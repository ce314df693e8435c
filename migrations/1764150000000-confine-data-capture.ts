import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CreateDataEvents1763950000000 } from './1763950000000-create-data-events.js';
import { captureOfRows, captureOfStatements } from './1764150000000/capture-functions.js';
import { confineCapture, isCaptureConfined, strangerOfTable } from './1764150000000/confinement.js';

/**
 * The capture of row changes runs no code of those who own the watched tables.
 *
 * - `to_jsonb()` renders a value of a type that somebody made by that type's cast to json, which its owner may define
 *   as any function, and the capture functions run with the rights of their owner. They now render such values by
 *   output functions, which only a superuser can define.
 * - `confine_data_capture` gives the capture functions to a role that cannot log in and may do nothing but capture.
 *   The program calls it again from time to time: after a restore the functions may belong to somebody else.
 * - `data_capture_is_confined` says whether that is so, and `data_capture_stranger` who, where it is not, keeps a
 *   table from being captured.
 *
 * The functions keep their names and their arguments, so the triggers on watched tables stay, and the release before
 * this one can go on making them.
 */
export class ConfineDataCapture1764150000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [found] = (await runner.query(`SELECT quote_ident(current_schema()) AS name`)) as [
      { name: string },
    ];
    await runner.query(strangerOfTable(found.name));
    await runner.query(isCaptureConfined(found.name));
    await runner.query(confineCapture(found.name));
    for (const name of [
      'data_capture_stranger(oid)',
      'data_capture_is_confined()',
      'confine_data_capture()',
    ]) {
      await runner.query(`REVOKE ALL ON FUNCTION ${name} FROM PUBLIC`);
    }
    await runner.query(captureOfStatements(found.name));
    await runner.query(captureOfRows(found.name));
    await runner.query('SELECT confine_data_capture()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(TAKE_BACK);
    await new CreateDataEvents1763950000000().up(onlyFunctions(runner));
    await runner.query('DROP FUNCTION confine_data_capture(), data_capture_is_confined()');
    await runner.query('DROP FUNCTION data_capture_stranger(oid)');
  }
}

/** The role itself stays: it is the whole server's, and may serve other databases of the account. */
const TAKE_BACK = `
  DO $$
  DECLARE
    account name := current_user;
    capture name := (SELECT rolname FROM pg_proc JOIN pg_roles ON pg_roles.oid = proowner
                     WHERE pg_proc.oid = 'capture_data_events()'::regprocedure);
  BEGIN
    IF capture = account THEN RETURN; END IF;
    EXECUTE format('ALTER FUNCTION capture_data_events() OWNER TO %I', account);
    EXECUTE format('ALTER FUNCTION capture_data_event() OWNER TO %I', account);
    EXECUTE format('REVOKE ALL ON data_events, data_triggers FROM %I', capture);
    EXECUTE format('REVOKE SELECT (tenant_id, id, paused) ON jobs FROM %I', capture);
    EXECUTE format('REVOKE USAGE ON SCHEMA %I FROM %I', current_schema(), capture);
  END $$`;

/** Of an earlier migration, does what makes functions, in place of those that there are. */
function onlyFunctions(runner: QueryRunner): QueryRunner {
  return new Proxy(runner, {
    get: (target, property, receiver): unknown => {
      if (property !== 'query') return Reflect.get(target, property, receiver);
      return async (sql: string): Promise<unknown> => {
        const statement = sql.trim();
        if (statement.startsWith('SELECT')) return await runner.query(statement);
        if (!statement.startsWith('CREATE FUNCTION')) return [];
        return await runner.query(statement.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
      };
    },
  });
}
