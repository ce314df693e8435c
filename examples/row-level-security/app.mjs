import { callerOf, createVerifier } from '@service/client/verify';
import express from 'express';
import pg from 'pg';

const { PORT = 3002, SERVICE_URL = 'http://127.0.0.1:8080', DATABASE_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });
// A server that closes connections, such as at its restart, is no reason to end.
pool.on('error', (error) => console.error(error.message));
pool.on('connect', (connection) => connection.on('error', () => {}));

/** Does `work` in a transaction that sees the rows of one tenant. The setting ends with the transaction. */
async function inTenant(tenant, work) {
  const connection = await pool.connect();
  let broken;
  try {
    await connection.query('BEGIN');
    await connection.query("SELECT set_config('app.tenant', $1, true)", [tenant]);
    const result = await work(connection);
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch((failure) => {
      broken = failure;
    });
    throw error;
  } finally {
    // One that cannot end its transaction is not used again.
    connection.release(broken);
  }
}

const { requirePermission, requireRun } = createVerifier({ url: SERVICE_URL }).express;
const app = express();

app.post('/orders', requirePermission('data:orders:create'), express.json(), async (request, response) => {
  const { tenant } = callerOf(request);
  const { item } = request.body ?? {};
  if (typeof item !== 'string') {
    response
      .status(400)
      .json({ error: { code: 'validation_failed', message: 'item is a text.', status: 400 } });
    return;
  }
  await inTenant(tenant, (sql) => sql.query('INSERT INTO orders (item) VALUES ($1)', [item]));
  response.status(201).end();
});

// A request.
app.get('/orders', requirePermission('data:orders:read'), async (request, response) => {
  const { tenant } = callerOf(request);
  const { rows } = await inTenant(tenant, (sql) => sql.query('SELECT item FROM orders ORDER BY id'));
  response.json(rows);
});

// The handler of a job.
app.post('/handlers/list-orders', requireRun(), async (request, response) => {
  const { tenant } = callerOf(request);
  const { rows } = await inTenant(tenant, (sql) => sql.query('SELECT item FROM orders ORDER BY id'));
  response.json(rows);
});

const server = app.listen(PORT, '127.0.0.1', () => {
  console.log(`orders at http://127.0.0.1:${server.address().port}`);
});
