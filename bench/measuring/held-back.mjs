import { setTimeout as wait } from 'node:timers/promises';
import { connect } from './database.mjs';

const NAME = 'held back';
const READERS = 2;
const FETCHED = 1_000;
const PAUSE_MS = 100;

/**
 * A transaction that is idle and holds the xmin horizon back, and readers of all runs, which take their time as exports do. What such
 * readers cost is the snapshot that they keep; how much of the processor a reader takes is no matter of the program.
 */
export class HeldBack {
  #clients;
  #reading;
  #isStopped = false;

  static async start(databaseUrl) {
    const heldBack = new HeldBack();
    const [idle, ...readers] = await Promise.all(
      Array.from({ length: READERS + 1 }, () => connect(databaseUrl, NAME)),
    );
    await idle.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await idle.query('SELECT pg_current_xact_id()');
    heldBack.#clients = [idle, ...readers];
    heldBack.#reading = readers.map((reader) => heldBack.#read(reader));
    return heldBack;
  }

  /** Ends a third of the connections to this database that are neither these nor the client's own. */
  async endOthers(client) {
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM (
         SELECT pid, row_number() OVER (ORDER BY pid) AS nth FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND datname = current_database() AND application_name <> $1
           AND pid <> pg_backend_pid()
       ) other WHERE nth % 3 = 0`,
      [NAME],
    );
  }

  async stop() {
    this.#isStopped = true;
    await Promise.all(this.#reading);
    await Promise.all(this.#clients.map((client) => client.end()));
  }

  async #read(reader) {
    while (!this.#isStopped) {
      await reader.query('BEGIN');
      await reader.query('DECLARE all_runs CURSOR FOR TABLE runs');
      for (let found = 1; found > 0 && !this.#isStopped; await wait(PAUSE_MS)) {
        ({ rowCount: found } = await reader.query(`FETCH ${FETCHED} FROM all_runs`));
      }
      await reader.query('ROLLBACK');
    }
  }
}
