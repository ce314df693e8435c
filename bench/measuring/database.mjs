import pg from 'pg';

/** A connection that finds the program's tables by their mere names. */
export async function connect(url, name) {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    options: '-c search_path=public,service',
  });
  await client.connect();
  return client;
}

/** Runs work with a connection of its own, and closes it. */
export async function withConnection(url, work) {
  const client = await connect(url);
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
