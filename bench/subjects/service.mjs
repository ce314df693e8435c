import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '../measuring/database.mjs';
import { Program } from '../measuring/program.mjs';

const PROGRAM = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
const ADDRESS = /^ {2}API\s+(\S+)$/m;
export const PASSWORD = 'correct horse battery';

/**
 * Service itself, from the build, in one process with all roles, on a database and a Redis database of its own.
 * @param {object} variables besides those that say where the servers are
 */
export async function startService({ postgresUrl, redisUrl }, name, variables) {
  const databaseUrl = await createDatabase(postgresUrl, name);
  const program = await Program.start(
    PROGRAM,
    {
      SERVICE_DATABASE__URL: databaseUrl,
      SERVICE_REDIS__URL: redisUrl,
      SERVICE_IDENTITY__DATA_KEY: randomBytes(32).toString('base64'),
      SERVICE_SERVER__HOST: '127.0.0.1',
      SERVICE_SERVER__PORT: '0',
      SERVICE_LOG__LEVEL: 'warn',
      ...variables,
    },
    ADDRESS,
  );
  return { program, databaseUrl };
}

export async function signUp(url, email) {
  const { session } = await ask(`${url}/auth/v1/signup`, { body: { email, password: PASSWORD } });
  return session;
}

/** Sends JSON and reads JSON. @throws with the response if it is not a success */
export async function ask(url, { token, body, headers = {} } = {}) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}
