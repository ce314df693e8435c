import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { Client, PASSWORD, signUp } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';

const ADMIN_TOKEN = 'the-operator-of-this-deployment';
const LEAD_SECS = 4;
const ACCESS_TTL_SECS = 3;

interface Rotation {
  active: { kid: string };
  next: { kid: string; signs_at: string } | null;
}

interface SigningKeyRow {
  kid: string;
  state: string;
  retires_at: string | null;
}

function kidOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? '';
}

describe('rotating the signing key', () => {
  let environment: TestEnvironment;
  let services: ServiceProcess[] = [];
  let urls: string[] = [];

  beforeEach(async () => {
    environment = await createEnvironment();
    const variables = {
      ...environment.variables,
      SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
      SERVICE_IDENTITY__KEY_PUBLISH_LEAD_SECS: String(LEAD_SECS),
      SERVICE_IDENTITY__ACCESS_TTL_SECS: String(ACCESS_TTL_SECS),
    };
    services = await Promise.all([ServiceProcess.start(variables), ServiceProcess.start(variables)]);
    urls = services.map((service) => service.url ?? '');
  });

  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await environment.dispose();
  });

  const operator = (instance: number): Client => new Client(urls[instance] ?? '').as(ADMIN_TOKEN);

  async function rotate(instance: number, body: unknown = {}): Promise<Rotation> {
    const { status, body: rotation } = await operator(instance).post<Rotation>(
      '/admin/v1/signing-keys/rotate',
      body,
    );
    expect(status).toBe(202);
    return rotation;
  }

  async function jwks(instance: number): Promise<JSONWebKeySet> {
    return (await new Client(urls[instance] ?? '').get<JSONWebKeySet>('/auth/v1/keys')).body;
  }

  /** The keys that sign access tokens. Each is published with its companion for run tokens. */
  const kidsOf = async (instance: number): Promise<(string | undefined)[]> => {
    const { keys } = await jwks(instance);
    expect(keys.map(({ alg }, place) => [place % 2, alg])).toEqual(
      keys.map((_, place) => [place % 2, place % 2 === 0 ? 'RS256' : 'ES256']),
    );
    return keys.filter(({ alg }) => alg === 'RS256').map(({ kid }) => kid);
  };

  async function signIn(instance: number, user: SignedUp): Promise<string> {
    const answer = await new Client(urls[instance] ?? '').post<{ access_token: string }>(
      '/auth/v1/token?grant_type=password',
      { email: user.email, password: PASSWORD },
    );
    expect(answer.status).toBe(200);
    return answer.body.access_token;
  }

  const isAccepted = async (instance: number, token: string): Promise<boolean> =>
    (await new Client(urls[instance] ?? '').as(token).get('/auth/v1/orgs')).status === 200;

  it('publishes, signs, and takes the old key away without a token failing in between', async () => {
    const user = await signUp(urls[0] ?? '');
    // As real clients, in proportion: they keep the JWKS for a quarter of the lead.
    const remote = createRemoteJWKSet(new URL(`${urls[1]}/auth/v1/keys`), {
      cacheMaxAge: (LEAD_SECS * 1000) / 4,
      cooldownDuration: 60_000,
    });
    await jwtVerify(await signIn(0, user), remote);

    const { active, next } = await rotate(0);
    const signsAt = Date.parse(next?.signs_at ?? '');
    expect(await kidsOf(0)).toEqual([active.kid, next?.kid]);
    await until(async () => (await kidsOf(1)).length === 2, PROMPTLY_MS);
    // Rotating while a key waits answers that one, wherever it is asked for.
    expect(await rotate(1)).toEqual({ active, next });
    const cachedDuringLead = createLocalJWKSet(await jwks(1));

    let lastOld = await signIn(1, user);
    let token = lastOld;
    let instance = 0;
    while (kidOf(token) === active.kid) {
      lastOld = token;
      instance = 1 - instance;
      token = await signIn(instance, user);
      await jwtVerify(token, remote);
    }
    expect(Date.now()).toBeGreaterThanOrEqual(signsAt);
    expect(kidOf(token)).toBe(next?.kid);
    await jwtVerify(token, cachedDuringLead);
    for (const at of [0, 1]) {
      const fresh = await signIn(at, user);
      expect(kidOf(fresh)).toBe(next?.kid);
      expect([await isAccepted(0, fresh), await isAccepted(1, fresh)]).toEqual([true, true]);
    }
    // Two keys are in use: what the old one signed last still verifies.
    await jwtVerify(lastOld, createRemoteJWKSet(new URL(`${urls[0]}/auth/v1/keys`)));
    expect(await isAccepted(0, lastOld)).toBe(true);

    await until(async () => !(await kidsOf(0)).includes(active.kid), 20_000);
    expect(Date.now()).toBeGreaterThanOrEqual(signsAt + (ACCESS_TTL_SECS + LEAD_SECS) * 1000);
    await until(async () => !(await kidsOf(1)).includes(active.kid), PROMPTLY_MS);
    await until(async () => {
      const states = (await operator(0).get<SigningKeyRow[]>('/admin/v1/signing-keys')).body;
      return states.map(({ state }) => state).join() === 'active,retired';
    });
    const [left] = await environment.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM signing_keys WHERE kid = $1 AND sealed_private_key IS NOT NULL',
      [active.kid],
    );
    expect(left?.count).toBe(0);
    const steps = await environment.database.query<{ action: string; target_id: string }>(
      `SELECT action, target_id FROM audit_entries WHERE action LIKE 'signing_key.%' ORDER BY position`,
    );
    expect(steps.map(({ action, target_id: kid }) => [action, kid])).toEqual([
      ['signing_key.activated', active.kid],
      ['signing_key.published', next?.kid],
      ['signing_key.retiring', active.kid],
      ['signing_key.activated', next?.kid],
      ['signing_key.retired', active.kid],
    ]);
  });

  it('mints one key when many rotate at once on two instances', async () => {
    const rotations = await Promise.all(Array.from({ length: 20 }, (_, call) => rotate(call % 2)));
    expect(new Set(rotations.map(({ next }) => next?.kid)).size).toBe(1);
    const found = await environment.database.query('SELECT FROM signing_keys');
    expect(found).toHaveLength(2);
  });

  it('kills the tokens of a leaked key at once, on every instance', async () => {
    const user = await signUp(urls[0] ?? '');
    const tokens = [await signIn(0, user), await signIn(1, user)];
    const { active: leaked, next: waiting } = await rotate(1);
    const { active, next } = await rotate(0, { immediate: true });
    const answeredAt = Date.now();
    expect([active.kid, next]).toEqual([waiting?.kid, null]);
    for (const token of tokens) expect(await isAccepted(0, token)).toBe(false);
    await until(async () => !(await isAccepted(1, tokens[0] ?? '')), PROMPTLY_MS);
    expect(Date.now() - answeredAt).toBeLessThan(PROMPTLY_MS);
    expect(await isAccepted(1, tokens[1] ?? '')).toBe(false);
    for (const instance of [0, 1]) {
      const fresh = await signIn(instance, user);
      expect(kidOf(fresh)).toBe(active.kid);
      expect([await isAccepted(0, fresh), await isAccepted(1, fresh)]).toEqual([true, true]);
      expect(await kidsOf(instance)).toEqual([active.kid]);
    }
    // Without a waiting key a new one is made.
    const again = await rotate(1, { immediate: true });
    expect([leaked.kid, active.kid]).not.toContain(again.active.kid);
    expect(await kidsOf(1)).toEqual([again.active.kid]);
  });

  it('rotates by itself when the key has reached its age, once for all instances', async () => {
    await environment.database.query(`UPDATE signing_keys SET active_at = now() - interval '91 days'`);
    await environment.database.query(`SELECT pg_notify('service_changes', 'signing_keys:*')`);
    await until(async () => (await kidsOf(0)).length === 2);
    await until(async () => (await kidsOf(1)).length === 2);
    const found = await environment.database.query('SELECT FROM signing_keys');
    expect(found).toHaveLength(2);
    const [published] = await environment.database.query<{ actor_type: string }>(
      `SELECT actor_type FROM audit_entries WHERE action = 'signing_key.published'`,
    );
    expect(published?.actor_type).toBe('system');
  });

  it('serves the JWKS to caches, and tells them when nothing has changed', async () => {
    const client = new Client(urls[0] ?? '');
    const first = await client.get<JSONWebKeySet>('/auth/v1/keys');
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(first.body.keys[0]).toEqual({
      kty: 'RSA',
      alg: 'RS256',
      use: 'sig',
      kid: expect.any(String),
      n: expect.any(String),
      e: 'AQAB',
    });
    const etag = first.headers.get('etag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const same = await client.with({ 'if-none-match': tag }).get('/auth/v1/keys');
      expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, null, etag]);
    }
    await rotate(0);
    const changed = await client.with({ 'if-none-match': etag }).get('/auth/v1/keys');
    expect(changed.status).toBe(200);
  });
});
