import pg from 'pg';

/** Runs work with a connection of its own, which finds the program's tables by their mere names, and closes it. */
export async function withConnection(url, work) {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=public,service' });
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
