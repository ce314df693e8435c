import { confineCapture, isCaptureConfined, strangerOfTable } from './confinement.js';
import { CAPTURE_DEPARTURE, captureOfRows } from './rows.js';
import { captureOfStatements } from './statements.js';
import { CAPTURE_JSON } from './values.js';

/**
 * The functions of the triggers on watched tables (decision 0022). They have the rights of their owner, so that a writer
 * needs none on the program's tables, and run no code of those who own the watched tables: `to_jsonb()` would render a value
 * of a type that somebody made by that type's cast to json, which its owner may define as any function. Such values are
 * rendered by output functions, which only a superuser can define.
 *
 * They are put together here, since an outbox row is written in a dozen places, each with changes of another shape. Read
 * them as PostgreSQL has them with `\sf service.capture_data_events` in psql.
 *
 * - The capture functions, and what confines them, name every table with its schema: none is searched when they run.
 * - Everyone may call `data_capture_json` and `data_capture_departure`, which read and write nothing but their arguments and
 *   settings of the transaction; nobody else may make triggers of the others, or call them.
 * - `confine_data_capture` gives the capture functions to a role that may do nothing else. The program calls it from time to
 *   time: after a restore the functions may belong to somebody else, and an account may get rights that it did not have.
 *
 * @param schema the program's, quoted
 */
export function dataCapture(schema: string): string {
  return [
    CAPTURE_JSON,
    CAPTURE_DEPARTURE,
    captureOfStatements(schema),
    captureOfRows(schema),
    strangerOfTable(schema),
    isCaptureConfined(schema),
    confineCapture(schema),
    ...[
      'capture_data_events()',
      'capture_data_event()',
      'data_capture_stranger(oid)',
      'data_capture_is_confined()',
      'confine_data_capture()',
    ].map((name) => `REVOKE ALL ON FUNCTION ${name} FROM PUBLIC`),
    'SELECT confine_data_capture()',
  ].join(';\n');
}
