import pg from 'pg';

/** Runs work with a connection of its own, and closes it. */
export async function withConnection(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** An empty database on the server, for one subject alone. */
export async function createDatabase(serverUrl, name) {
  await withConnection(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
