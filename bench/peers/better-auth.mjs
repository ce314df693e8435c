import { createServer } from 'node:http';
import argon2 from 'argon2';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import pg from 'pg';
import { announce, settings } from './settings.mjs';

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseURL = `http://127.0.0.1:${server.address().port}`;
const pool = new pg.Pool({ connectionString: settings.postgresUrl, max: settings.poolSize });

const options = (basePath, session) => ({
  baseURL,
  basePath,
  database: pool,
  secret: 'a secret of this benchmark and of nothing else',
  telemetry: { enabled: false },
  // The service leaves limiting the rate to a proxy.
  rateLimit: { enabled: false },
  advanced: { database: { joins: true } },
  emailAndPassword: {
    enabled: true,
    minPasswordLength: 8,
    password: {
      hash: (password) => argon2.hash(password, { type: argon2.argon2id, ...settings.argon2 }),
      verify: ({ hash, password }) => argon2.verify(hash, password),
    },
  },
  session,
});

// As its guide to performance recommends: the session is read from a signed cookie for five minutes.
const recommended = betterAuth(options('/auth', { cookieCache: { enabled: true, maxAge: 300 } }));
// Each look at the session prolongs it: the nearest that there is to the exchange of a refresh token.
const sliding = betterAuth(options('/sliding', { updateAge: 0 }));

const { runMigrations } = await getMigrations(recommended.options);
await runMigrations();

const handlers = { '/auth': toNodeHandler(recommended), '/sliding': toNodeHandler(sliding) };
server.on('request', (request, response) => {
  const handle = request.url.startsWith('/sliding/') ? handlers['/sliding'] : handlers['/auth'];
  void handle(request, response);
});

announce(baseURL, async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await pool.end();
});
