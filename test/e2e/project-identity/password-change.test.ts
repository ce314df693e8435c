import { randomBytes } from 'node:crypto';
import { Client, PASSWORD } from '../../support/client.js';
import { nextCodeOf } from '../../support/operator-account.js';
import { createProject } from '../../support/project-environment.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';
import { ConsoleCaller } from '../../slow/e2e/console/console-caller.js';
import { createOperator, signInOperator } from '../../slow/e2e/console/operator-accounts.js';

const NEW_PASSWORD = 'another long enough password';

interface Tokens {
  access_token: string;
  refresh_token: string;
  user: { id: string };
}

let program: SharedProgram;

beforeAll(async () => {
  program = await sharedProgram('project');
});

async function actionsOf(userId: string): Promise<string[]> {
  const entries = await program.database.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE user_id = $1 AND action LIKE 'user.password%' ORDER BY position`,
    [userId],
  );
  return entries.map(({ action }) => action);
}

/** The refusals of a change that is not in order, of which none has an effect. */
async function expectRefusals(user: Client): Promise<void> {
  for (const [body, refusal] of [
    [{ password: NEW_PASSWORD }, [400, 'validation_failed']],
    [{ current_password: PASSWORD }, [400, 'validation_failed']],
    [{ password: 'password123', current_password: PASSWORD }, [400, 'weak_password']],
    [{ password: NEW_PASSWORD, current_password: 'not this one', locale: 'fr' }, [403, 'wrong_password']],
  ] as const) {
    const answer = await user.send<{ error: { code: string } }>('PATCH', '/auth/v1/user', body);
    expect([body, answer.status, answer.body.error.code]).toEqual([body, ...refusal]);
  }
}

describe('a new password by PATCH /auth/v1/user in the project profile', () => {
  it('needs the current one, and ends the other sessions of a user of a project', async () => {
    const project = await createProject(program.url, program.adminToken);
    const anonymous = new Client(program.url, { apikey: project.anonKey });
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const signIn = async (password: string): Promise<{ status: number; body: Tokens }> =>
      await anonymous.post<Tokens>('/auth/v1/token', { email, password });
    const { body: session } = await anonymous.post<Tokens>('/auth/v1/signup', { email, password: PASSWORD });
    const other = await signIn(PASSWORD);
    const user = anonymous.as(session.access_token);
    await expectRefusals(user);
    const changed = await user.send('PATCH', '/auth/v1/user', {
      password: NEW_PASSWORD,
      current_password: PASSWORD,
      locale: 'de',
    });
    expect([changed.status, changed.body]).toEqual([200, { id: session.user.id, email, locale: 'de' }]);
    const renewed = async ({ refresh_token }: Tokens): Promise<number> =>
      (await anonymous.post('/auth/v1/token', { refresh_token })).status;
    expect([await renewed(session), await renewed(other.body)]).toEqual([200, 401]);
    expect([(await signIn(PASSWORD)).status, (await signIn(NEW_PASSWORD)).status]).toEqual([401, 200]);
    expect(await actionsOf(session.user.id)).toEqual([
      'user.password_change_refused',
      'user.password_changed',
    ]);
  });

  it('needs the current one, and ends the other sessions of an operator', async () => {
    const operator = await createOperator(program, 'project');
    const other = new ConsoleCaller(program.url);
    await signInOperator(other, operator);
    const own = new Client(program.url).as(operator.accessToken);
    await expectRefusals(own);
    const body = { password: NEW_PASSWORD, current_password: PASSWORD };
    expect((await own.send('PATCH', '/auth/v1/user', body)).status).toBe(200);
    expect((await other.post('/refresh')).status).toBe(401);
    expect((await operator.browser.post('/refresh')).status).toBe(200);
    const again = new ConsoleCaller(program.url);
    const { email } = operator;
    expect((await again.post('', { email, password: PASSWORD })).body).toMatchObject({
      error: { code: 'invalid_credentials' },
    });
    const challenge = await again.post<{ error: { challenge: { token: string } } }>('', {
      email,
      password: NEW_PASSWORD,
    });
    const signedIn = await again.post('/second-factor', {
      challenge_token: challenge.body.error.challenge.token,
      recovery_code: nextCodeOf(operator),
    });
    expect(signedIn.status).toBe(200);
    expect(await actionsOf(operator.userId)).toEqual([
      'user.password_change_refused',
      'user.password_changed',
    ]);
  });
});
