import { callerOf, createVerifier } from '@service/client/verify';
import express from 'express';
import pg from 'pg';

const { PORT = 3002, SERVICE_URL = 'http://127.0.0.1:8080', DATABASE_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });

/** Does `work` in a transaction that sees the rows of one tenant. The setting ends with the transaction. */
async function inTenant(tenant, work) {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query("SELECT set_config('app.tenant', $1, true)", [tenant]);
    const result = await work(connection);
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK');
    throw error;
  } finally {
    connection.release();
  }
}

const { requirePermission, requireRun } = createVerifier({ url: SERVICE_URL }).express;
const app = express();
app.use(express.json());

app.post('/orders', requirePermission('data:orders:create'), async (request, response) => {
  const { tenant } = callerOf(request);
  await inTenant(tenant, (sql) => sql.query('INSERT INTO orders (item) VALUES ($1)', [request.body.item]));
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
