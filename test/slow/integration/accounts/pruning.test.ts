import { createHash } from 'node:crypto';
import pg from 'pg';
import { refresh, signIn } from '../../../support/accounts.js';
import { Client, PASSWORD, signUp } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';

const TTL_SECS = 3600;

let environment: TestEnvironment;
let service: ServiceInProcess;
let anonymous: Client;
let ada: SignedUp;

beforeEach(async () => {
  environment = await createEnvironment();
  service = await start('api');
  anonymous = new Client(service.url);
  ada = await signUp(service.url);
});

afterEach(async () => {
  await service.stop();
  await environment.dispose();
});

async function start(role: string): Promise<ServiceInProcess> {
  return await ServiceInProcess.start({
    ...environment.variables,
    SERVICE_ROLE: role,
    SERVICE_IDENTITY__REFRESH_TTL_SECS: String(TTL_SECS),
  });
}

/** Lets an instance do background work until a row that is the last to go is gone, and returns to `api`. */
async function prune(): Promise<void> {
  const { database } = environment;
  await database.query(
    `INSERT INTO mail_cooldowns (address_hash, taken_at) VALUES ('last', now() - interval '61 s')`,
  );
  await service.stop();
  service = await start('all');
  await until(async () => (await database.query('SELECT FROM mail_cooldowns')).length === 0);
  anonymous = new Client(service.url);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

async function count(table: string): Promise<number> {
  const [found] = await environment.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table}`,
  );
  return found?.count ?? -1;
}

/** A pair whose first token was used, and says when it expired and was used. */
async function usedToken(
  expiredAgoSecs: number,
  usedAgoSecs: number,
): Promise<{ spent: string; next: string }> {
  const { body } = await signIn(anonymous, ada.email, PASSWORD);
  const next = await refresh(anonymous, body.refresh_token);
  await environment.database.query(
    `UPDATE refresh_tokens SET expires_at = now() - make_interval(secs => $2),
       rotated_at = now() - make_interval(secs => $3) WHERE token_hash = $1`,
    [hashOf(body.refresh_token), expiredAgoSecs, usedAgoSecs],
  );
  return { spent: body.refresh_token, next: next.body.refresh_token };
}

function codeOf({ body }: { body: unknown }): string | undefined {
  return (body as { error?: { code?: string } }).error?.code;
}

test('a used refresh token is known as such until its use is refresh_ttl_secs ago, expired or not', async () => {
  const recent = await usedToken(1, TTL_SECS - 60);
  const old = await usedToken(60, TTL_SECS + 1);
  await prune();
  expect(codeOf(await refresh(anonymous, recent.spent))).toBe('refresh_token_reused');
  expect(codeOf(await refresh(anonymous, recent.next))).toBe('session_revoked');
  // Forgotten: refused like any unknown one, and the session that it belonged to lives on.
  expect(codeOf(await refresh(anonymous, old.spent))).toBe('invalid_refresh_token');
  expect((await refresh(anonymous, old.next)).status).toBe(200);
});

test('sessions go once they have ended and no token of theirs is left, and not before', async () => {
  const { database } = environment;
  const age = `now() - interval '${TTL_SECS + 1} s'`;
  const ended = await signIn(anonymous, ada.email, PASSWORD);
  const revoked = await signIn(anonymous, ada.email, PASSWORD);
  const justRevoked = await signIn(anonymous, ada.email, PASSWORD);
  for (const { body } of [revoked, justRevoked])
    await anonymous.post('/auth/v1/logout', { refresh_token: body.refresh_token });
  for (const { body } of [ended, revoked]) {
    const hash = hashOf(body.refresh_token);
    await database.query(
      `UPDATE sessions SET last_refreshed_at = ${age}
       WHERE id = (SELECT session_id FROM refresh_tokens WHERE token_hash = $1)`,
      [hash],
    );
    await database.query('UPDATE refresh_tokens SET expires_at = now() WHERE token_hash = $1', [hash]);
  }
  expect(await count('sessions')).toBe(4);
  await prune();
  expect(await count('sessions')).toBe(2);
  expect(await count('refresh_tokens')).toBe(2);
  expect(codeOf(await refresh(anonymous, justRevoked.body.refresh_token))).toBe('session_revoked');
  expect((await refresh(anonymous, ada.refreshToken)).status).toBe(200);
});

test('one-time tokens go a day after they expired', async () => {
  for (const [hash, expired] of [
    ['recent', '1 hour'],
    ['old', '25 hours'],
  ]) {
    await environment.database.query(
      `INSERT INTO one_time_tokens (token_hash, purpose, user_id, email, expires_at, used_at)
       VALUES ($1, 'verify', $2, $3, now() - $4::interval, now() - $4::interval)`,
      [hash, ada.userId, ada.email, expired],
    );
  }
  await prune();
  const left = await environment.database.query<{ token_hash: Buffer }>(
    'SELECT token_hash FROM one_time_tokens',
  );
  expect(left.map(({ token_hash: hash }) => hash.toString())).toEqual(['recent']);
});

test('challenges of passkeys go when they expire, and tokens of sign-ins an hour later', async () => {
  const { database } = environment;
  for (const [hash, age] of [
    ['open', '-1 minute'],
    ['over', '1 minute'],
    ['long over', '61 minutes'],
  ]) {
    await database.query(
      `WITH used AS (INSERT INTO used_passkey_tokens (token_hash, expires_at) VALUES ($1, now() - $2::interval))
       INSERT INTO passkey_challenges (challenge_hash, user_id, session_id, purpose, expires_at)
       VALUES ($1, $3, gen_random_uuid(), 'add', now() - $2::interval)`,
      [hash, age, ada.userId],
    );
  }
  await prune();
  const left = await database.query<{ hash: Buffer }>(
    `SELECT challenge_hash AS hash FROM passkey_challenges UNION ALL
     SELECT token_hash FROM used_passkey_tokens ORDER BY hash`,
  );
  expect(left.map(({ hash }) => hash.toString())).toEqual(['open', 'open', 'over']);
});

test('mails leave the history identity.mail_history_days after they were sent or given up', async () => {
  for (const [kind, state, age] of [
    ['recovery', 'sent', '29 days'],
    ['verification', 'sent', '31 days'],
    ['verification', 'failed', '31 days'],
  ]) {
    await environment.database.query(
      `INSERT INTO mail_history (id, realm_id, user_id, kind, recipient, state, attempts, created_at, finished_at)
       SELECT gen_random_uuid(), realm_id, id, $2, email, $3, 1, now() - $4::interval, now() - $4::interval
       FROM users WHERE id = $1`,
      [ada.userId, kind, state, age],
    );
  }
  await prune();
  expect(await environment.database.query('SELECT kind FROM mail_history')).toEqual([{ kind: 'recovery' }]);
});

test('more than one batch goes in one round', async () => {
  await environment.database.query(
    `INSERT INTO refresh_tokens (token_hash, session_id, expires_at)
     SELECT sha256(number::text::bytea), session.id, now()
     FROM generate_series(1, 2500) number, sessions session`,
  );
  await prune();
  expect(await count('refresh_tokens')).toBe(1);
});

test('a row that somebody holds is passed by, and holds nothing else up', async () => {
  const { database } = environment;
  const held = Buffer.from('held');
  await database.query(
    `INSERT INTO refresh_tokens (token_hash, session_id, expires_at)
     SELECT hash, session.id, now() FROM unnest($1::bytea[]) hash, sessions session`,
    [[held, Buffer.from('free')]],
  );
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM refresh_tokens WHERE token_hash = $1 FOR UPDATE', [held]);
    await prune();
    expect(await count('refresh_tokens')).toBe(2);
  } finally {
    await holder.end();
  }
  await prune();
  expect(await count('refresh_tokens')).toBe(1);
});
