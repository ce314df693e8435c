import { Client, signUp } from '../../support/client.js';
import type { Answer, SignedUp } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceProcess } from '../../support/service-process.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

type RefreshAnswer = Answer<Partial<Tokens> & { error?: { code: string } }>;

describe('a refresh token', () => {
  let environment: TestEnvironment;
  let services: ServiceProcess[];
  let user: SignedUp;

  beforeAll(async () => {
    environment = await createEnvironment();
    services = await Promise.all([
      ServiceProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' }),
      ServiceProcess.start({
        ...environment.variables,
        SERVICE_ROLE: 'api',
        SERVICE_IDENTITY__REFRESH_REUSE_GRACE_SECS: '10',
      }),
    ]);
  });

  beforeEach(async () => {
    user = await signUp(services[0]?.url ?? '');
  });

  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await environment.dispose();
  });

  async function refresh(token: string, instance = 0): Promise<RefreshAnswer> {
    return await new Client(services[instance]?.url ?? '').post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: token,
    });
  }

  async function simultaneously(token: string, instance: number): Promise<RefreshAnswer[]> {
    return await Promise.all(Array.from({ length: 50 }, () => refresh(token, instance)));
  }

  function codesOf(answers: readonly RefreshAnswer[]): string[] {
    return [...new Set(answers.flatMap(({ body }) => body.error?.code ?? []))];
  }

  it('gives a new pair, and then that one gives the next', async () => {
    const first = await refresh(user.refreshToken);
    expect(first).toMatchObject({ status: 200, body: { token_type: 'bearer', user: { id: user.userId } } });
    expect(first.headers.get('cache-control')).toBe('no-store');
    const second = await refresh(first.body.refresh_token ?? '');
    expect(second.status).toBe(200);
    const tokens = [user.refreshToken, first.body.refresh_token, second.body.refresh_token];
    expect(new Set(tokens).size).toBe(3);
    const profile = await user.client.as(second.body.access_token ?? '').get('/auth/v1/user');
    expect(profile.status).toBe(200);
  });

  it('is won by one of fifty simultaneous refreshes, and the session ends', async () => {
    const answers = await simultaneously(user.refreshToken, 0);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
    expect(codesOf(answers)).toEqual(['refresh_token_reused']);
    expect(await refresh(won[0]?.body.refresh_token ?? '')).toMatchObject({
      status: 401,
      body: { error: { code: 'session_revoked' } },
    });
  });

  it('ends its session when it is used again, with an entry in the audit trail', async () => {
    const first = await refresh(user.refreshToken);
    const second = await refresh(first.body.refresh_token ?? '');
    expect(second.status).toBe(200);
    expect(await refresh(user.refreshToken)).toMatchObject({
      status: 401,
      body: { error: { code: 'refresh_token_reused' } },
    });
    expect(
      await environment.database.query(
        'SELECT revoked_at IS NOT NULL AS revoked, revoked_reason FROM sessions WHERE user_id = $1',
        [user.userId],
      ),
    ).toEqual([{ revoked: true, revoked_reason: 'refresh_token_reused' }]);
    expect(
      await environment.database.query(
        `SELECT actor_type, target_type FROM audit_entries
         WHERE user_id = $1 AND action = 'session.refresh_token_reused'`,
        [user.userId],
      ),
    ).toEqual([{ actor_type: 'anonymous', target_type: 'session' }]);
    expect(codesOf([await refresh(second.body.refresh_token ?? '')])).toEqual(['session_revoked']);
    expect(codesOf([await refresh(user.refreshToken)])).toEqual(['refresh_token_reused']);
  });

  it('ends only its own session', async () => {
    const other = await signUp(services[0]?.url ?? '');
    await refresh(user.refreshToken);
    await refresh(user.refreshToken);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it('within the grace time gives every repeat the same successor, never a second branch', async () => {
    const answers = await simultaneously(user.refreshToken, 1);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    const successors = [...new Set(answers.map(({ body }) => body.refresh_token))];
    expect(successors).toHaveLength(1);
    expect((await refresh(user.refreshToken, 1)).body.refresh_token).toBe(successors[0]);
    expect(
      await environment.database.query(
        'SELECT count(*)::int AS live FROM refresh_tokens JOIN sessions ON sessions.id = session_id WHERE user_id = $1 AND rotated_at IS NULL',
        [user.userId],
      ),
    ).toEqual([{ live: 1 }]);
    expect((await refresh(successors[0] ?? '', 1)).status).toBe(200);
  });

  it('is refused at an instance without a grace time though another one has one', async () => {
    await refresh(user.refreshToken, 1);
    expect(codesOf([await refresh(user.refreshToken, 0)])).toEqual(['refresh_token_reused']);
    expect(codesOf([await refresh(user.refreshToken, 1)])).toEqual(['refresh_token_reused']);
  });

  it('after the grace time ends its session', async () => {
    await refresh(user.refreshToken, 1);
    await environment.database.query(
      `UPDATE refresh_tokens SET rotated_at = rotated_at - interval '11 seconds' WHERE rotated_at IS NOT NULL`,
    );
    expect(codesOf([await refresh(user.refreshToken, 1)])).toEqual(['refresh_token_reused']);
  });

  it('that is unknown or expired is refused without harm to anyone', async () => {
    expect(codesOf([await refresh('unknown')])).toEqual(['invalid_refresh_token']);
    await environment.database.query(
      `UPDATE refresh_tokens SET expires_at = now() - interval '1 second'
       FROM sessions WHERE sessions.id = session_id AND user_id = $1`,
      [user.userId],
    );
    expect(codesOf([await refresh(user.refreshToken)])).toEqual(['invalid_refresh_token']);
    expect(
      await environment.database.query('SELECT revoked_at FROM sessions WHERE user_id = $1', [user.userId]),
    ).toEqual([{ revoked_at: null }]);
  });
});
