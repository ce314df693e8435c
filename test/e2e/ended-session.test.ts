import { Client, signUp } from '../support/client.js';
import type { SignedUp } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { ServiceProcess } from '../support/service-process.js';

describe('a session that has ended', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_IDENTITY__REFRESH_REUSE_GRACE_SECS: '60',
    });
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function refresh(token: string): Promise<{ status: number; code: string | null; next: string }> {
    const { status, body } = await new Client(service.url ?? '').post<{
      refresh_token?: string;
      error?: { code: string };
    }>('/auth/v1/token?grant_type=refresh_token', { refresh_token: token });
    return { status, code: body.error?.code ?? null, next: body.refresh_token ?? '' };
  }

  async function endSessionsOf({ userId }: SignedUp): Promise<void> {
    await environment.database.query(
      `UPDATE sessions SET revoked_at = now(), revoked_reason = 'test' WHERE user_id = $1`,
      [userId],
    );
  }

  it('refuses its unused refresh token as often as it comes, and calls it reused never', async () => {
    const user = await signUp(service.url ?? '');
    await endSessionsOf(user);
    for (let time = 1; time <= 3; time += 1) {
      expect(await refresh(user.refreshToken)).toMatchObject({ status: 401, code: 'session_revoked' });
    }
  });

  it('does not repeat a lost answer, though the grace for that still runs', async () => {
    const user = await signUp(service.url ?? '');
    const first = await refresh(user.refreshToken);
    expect(await refresh(user.refreshToken)).toEqual(first);
    await endSessionsOf(user);
    expect((await refresh(user.refreshToken)).status).toBe(401);
  });

  it('does not repeat a lost answer to a disabled account either', async () => {
    const user = await signUp(service.url ?? '');
    await refresh(user.refreshToken);
    await environment.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.userId]);
    expect((await refresh(user.refreshToken)).status).toBe(401);
  });
});
