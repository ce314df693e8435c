import { setImmediate } from 'node:timers';
import pg from 'pg';
import { settings } from './settings.mjs';
import { callHandler, serveTriggers } from './trigger-api.mjs';

/**
 * No product, but the limit of what PostgreSQL allows with durable commits: one narrow table, one process, and one
 * statement at a time that stores what has ended, inserts what has arrived, and claims for the free slots. Whatever
 * happens while a statement is under way goes into the next one.
 */
const SCHEMA = `
  CREATE TABLE jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    status text NOT NULL,
    payload json NOT NULL,
    result json,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    ended_at timestamptz
  );
  CREATE INDEX jobs_waiting ON jobs (id) WHERE status = 'waiting'`;

// New jobs beyond the free slots wait. Jobs that wait already go first.
const EXCHANGE = `
  WITH ended AS (
    UPDATE jobs SET status = 'completed', result = ending.result, ended_at = now()
    FROM unnest($1::bigint[], $2::json[]) AS ending (id, result) WHERE jobs.id = ending.id
  ), claimed AS (
    UPDATE jobs SET status = 'running', started_at = now()
    WHERE id IN (SELECT id FROM jobs WHERE status = 'waiting' ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
    RETURNING id, payload
  ), inserted AS (
    INSERT INTO jobs (status, payload, started_at)
    SELECT CASE WHEN place <= $5 THEN 'running' ELSE 'waiting' END, payload, CASE WHEN place <= $5 THEN now() END
    FROM unnest($4::json[]) WITH ORDINALITY AS new (payload, place) ORDER BY place
    RETURNING id, payload, status
  )
  SELECT id, payload, 'running' AS status, false AS "isNew" FROM claimed
  UNION ALL SELECT id, payload, status, true FROM inserted ORDER BY "isNew", id`;

const client = new pg.Client({ connectionString: settings.postgresUrl });
await client.connect();
await client.query(SCHEMA);

let arrived = [];
let ended = [];
let running = 0;
let waiting = 0;
let isUnderWay = false;

function exchangeSoon() {
  if (isUnderWay) return;
  isUnderWay = true;
  setImmediate(() => void exchangeUntilIdle());
}

async function exchangeUntilIdle() {
  while (arrived.length > 0 || ended.length > 0 || (waiting > 0 && running < settings.concurrency))
    await exchange();
  isUnderWay = false;
}

async function exchange() {
  const [newJobs, endings] = [arrived, ended];
  [arrived, ended] = [[], []];
  const free = settings.concurrency - running;
  const claims = Math.min(free, waiting);
  const { rows } = await client.query({
    name: 'exchange',
    text: EXCHANGE,
    values: [
      endings.map(({ id }) => id),
      endings.map(({ result }) => JSON.stringify(result)),
      claims,
      newJobs.map(({ payload }) => JSON.stringify(payload)),
      free - claims,
    ],
  });
  const inserted = rows.filter(({ isNew }) => isNew);
  const started = rows.filter(({ status }) => status === 'running');
  waiting += inserted.length - started.length;
  running += started.length;
  for (const [place, { id }] of inserted.entries()) newJobs[place].accept(id);
  for (const job of started) void work(job);
}

async function work({ id, payload }) {
  const result = await callHandler(payload);
  running -= 1;
  ended.push({ id, result });
  exchangeSoon();
}

await serveTriggers({
  enqueue: (payload) =>
    new Promise((accept) => {
      arrived.push({ payload, accept });
      exchangeSoon();
    }),
  unfinished: async () => running + waiting + ended.length + (isUnderWay ? 1 : 0),
  stop: () => client.end(),
});
