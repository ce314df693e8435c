import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../support/client.js';
import { linkOf, tokenOf } from '../../support/mail-server.js';
import { PUBLIC_URL, startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects, ProjectSession } from '../../support/mailing-project.js';
import type { TestProject } from '../../support/project-environment.js';
import { sendRaw } from '../../support/raw-http.js';

const NEW_PASSWORD = 'a wholly other password';
const TOKENS = { access_token: expect.any(String) as string, refresh_token: expect.any(String) as string };

let running: MailingProjects;
let project: TestProject;

beforeAll(async () => {
  running = await startMailingProjects();
  project = await running.project();
});

afterAll(async () => {
  await running.stop();
});

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

async function count(sql: string, parameters: unknown[]): Promise<number> {
  return (await running.environment.database.query(sql, parameters)).length;
}

const usersOf = (email: string): Promise<number> => count('SELECT FROM users WHERE email = $1', [email]);
const sessionsOf = (userId: string): Promise<number> =>
  count('SELECT FROM sessions WHERE user_id = $1', [userId]);

async function signUp(email = freshAddress(), at = project): Promise<ProjectSession> {
  const { status, body } = await at.anon.post('/auth/v1/signup', { email, password: PASSWORD });
  expect(status).toBe(201);
  return body as unknown as ProjectSession;
}

async function invited(email = freshAddress()): Promise<{ email: string; token: string; userId: string }> {
  const answer = await project.service.post<{ user: { id: string } }>('/auth/v1/invite', { email });
  expect(answer.status).toBe(201);
  return { email, token: tokenOf(await running.mailServer.mailTo(email)), userId: answer.body.user.id };
}

async function magicToken(email: string, mails = 1): Promise<string> {
  expect(await project.anon.post('/auth/v1/magic-link', { email })).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  return tokenOf(await running.mailServer.mailTo(email, mails));
}

/** As if this much time had gone by for all that mails carry. */
async function pass(interval: string): Promise<void> {
  for (const table of ['one_time_tokens', 'project_invitations'])
    await running.environment.database.query(`UPDATE ${table} SET expires_at = expires_at - $1::interval`, [
      interval,
    ]);
}

describe('section 4: the endpoints', () => {
  it('signup answers 201 with the token pair and the user at top level', async () => {
    const email = freshAddress();
    const answer = await project.anon.post('/auth/v1/signup', {
      email: ` ${email.toUpperCase()} `,
      password: PASSWORD,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ ...TOKENS, user: { id: expect.any(String), email } });
    expect(await count('SELECT FROM users WHERE email = $1 AND realm_id = $2', [email, project.id])).toBe(1);
  });

  it('token with email and password is a sign-in', async () => {
    const { user } = await signUp();
    const answer = await project.anon.post('/auth/v1/token', { email: user.email, password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...TOKENS, user });
    expect(await sessionsOf(user.id)).toBe(2);
  });

  it('token with refresh_token alone is a refresh, which gives the two tokens', async () => {
    const { refresh_token, user } = await signUp();
    const answer = await project.anon.post('/auth/v1/token', { refresh_token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(TOKENS);
    expect(answer.body.refresh_token).not.toBe(refresh_token);
    expect(await sessionsOf(user.id)).toBe(1);
  });

  it.each([{}, { email: 'ada@example.com' }, { password: PASSWORD }, { grant_type: 'password' }])(
    'token with %j is neither: 400',
    async (body) => {
      expect(await project.anon.post('/auth/v1/token', body)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_failed' } },
      });
    },
  );

  it('logout answers 204 without a body, and the session is gone', async () => {
    const { refresh_token, user } = await signUp();
    expect(await project.anon.post('/auth/v1/logout', { refresh_token })).toMatchObject({
      status: 204,
      body: null,
    });
    expect(await sessionsOf(user.id)).toBe(0);
    expect((await project.anon.post('/auth/v1/logout', { refresh_token })).status).toBe(204);
  });

  it('user answers id and email, no more', async () => {
    const { access_token, user } = await signUp();
    const answer = await project.anon.as(access_token).get('/auth/v1/user');
    expect(answer).toMatchObject({ status: 200, body: user });
    expect(Object.keys(answer.body).sort()).toEqual(['email', 'id']);
  });

  it('magic-link and verify sign in a user without an account', async () => {
    const email = freshAddress();
    const token = await magicToken(email);
    expect(await usersOf(email)).toBe(1);
    const answer = await project.anon.post<ProjectSession>('/auth/v1/verify', { token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...TOKENS, user: { id: expect.any(String), email } });
    expect(await sessionsOf(answer.body.user.id)).toBe(1);
    expect(await project.anon.post('/auth/v1/verify', { token })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_token' } },
    });
  });

  it('recover and recover/complete set a password, sign in, and end every other session', async () => {
    const { user, refresh_token } = await signUp();
    expect(await project.anon.post('/auth/v1/recover', { email: user.email })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    const token = tokenOf(await running.mailServer.mailTo(user.email));
    const short = await project.anon.post('/auth/v1/recover/complete', { token, password: 'short' });
    expect(short.status).toBe(400);
    const answer = await project.anon.post('/auth/v1/recover/complete', { token, password: NEW_PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...TOKENS, user });
    expect(await sessionsOf(user.id)).toBe(1);
    expect((await project.anon.post('/auth/v1/token', { refresh_token })).status).toBe(401);
    const signIn = { email: user.email, password: NEW_PASSWORD };
    expect((await project.anon.post('/auth/v1/token', signIn)).status).toBe(200);
  });

  it('invite and invite/accept make a user who chooses a password', async () => {
    const email = freshAddress();
    const answer = await project.service.post<{ expires_at: string }>('/auth/v1/invite', { email });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ user: { id: expect.any(String), email }, expires_at: expect.any(String) });
    const days = (Date.parse(answer.body.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    expect(await usersOf(email)).toBe(1);
    const token = tokenOf(await running.mailServer.mailTo(email));
    expect((await project.anon.post('/auth/v1/token', { email, password: PASSWORD })).status).toBe(401);
    const accepted = await project.anon.post('/auth/v1/invite/accept', { token, password: PASSWORD });
    expect(accepted.status).toBe(200);
    expect(accepted.body).toEqual({ ...TOKENS, user: { id: expect.any(String), email } });
    expect((await project.anon.post('/auth/v1/invite/accept', { token, password: PASSWORD })).status).toBe(
      400,
    );
    expect((await project.anon.post('/auth/v1/token', { email, password: PASSWORD })).status).toBe(200);
  });
});

describe('section 4: whose keys they take', () => {
  const bodies = { email: 'ada@example.com', password: PASSWORD };

  it.each([
    ['/auth/v1/signup', bodies],
    ['/auth/v1/token', bodies],
    ['/auth/v1/magic-link', { email: bodies.email }],
    ['/auth/v1/invite', { email: bodies.email }],
  ])('%s needs a key: without one 401', async (path, body) => {
    const text = JSON.stringify(body);
    const head = ['Content-Type: application/json', `Content-Length: ${text.length}`, 'Connection: close'];
    const answer = await sendRaw(
      running.service.url,
      [`POST ${path} HTTP/1.1`, `Host: ${project.ref}.projects.test`, ...head, '', text].join('\r\n'),
    );
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'unauthenticated' } });
  });

  it('invite, users, templates and mail refuse the anon key', async () => {
    expect((await project.anon.post('/auth/v1/invite', { email: freshAddress() })).status).toBe(403);
    for (const path of ['/auth/v1/users', '/auth/v1/templates/invite', '/auth/v1/mail'])
      expect((await project.anon.get(path)).status).toBe(403);
  });

  it('sign-up takes the service key as well', async () => {
    const body = { email: freshAddress(), password: PASSWORD };
    expect((await project.service.post('/auth/v1/signup', body)).status).toBe(201);
  });
});

describe('section 3: the states', () => {
  it('a refresh token is burned by deleting its row: afterwards it is simply unknown, and the session lives', async () => {
    const { refresh_token: first, user } = await signUp();
    const second = await project.anon.post<{ refresh_token: string }>('/auth/v1/token', {
      refresh_token: first,
    });
    const reused = await project.anon.post('/auth/v1/token', { refresh_token: first });
    expect(reused).toMatchObject({ status: 401, body: { error: { code: 'invalid_refresh_token' } } });
    const rows = await running.environment.database.query(
      'SELECT rotated_at FROM refresh_tokens JOIN sessions ON sessions.id = session_id WHERE user_id = $1',
      [user.id],
    );
    expect(rows).toEqual([{ rotated_at: null }]);
    const { refresh_token } = second.body;
    expect((await project.anon.post('/auth/v1/token', { refresh_token })).status).toBe(200);
  });

  it('an expired refresh token is 401 and changes nothing', async () => {
    const { refresh_token, user } = await signUp();
    await running.environment.database.query(
      `UPDATE refresh_tokens SET expires_at = now() FROM sessions WHERE sessions.id = session_id AND user_id = $1`,
      [user.id],
    );
    expect((await project.anon.post('/auth/v1/token', { refresh_token })).status).toBe(401);
    expect(await sessionsOf(user.id)).toBe(1);
  });

  it('a magic link is good for 15 minutes', async () => {
    const [early, late] = [freshAddress(), freshAddress()];
    const token = await magicToken(early);
    await pass('14 min');
    expect((await project.anon.post('/auth/v1/verify', { token })).status).toBe(200);
    const expired = await magicToken(late);
    await pass('15 min');
    expect((await project.anon.post('/auth/v1/verify', { token: expired })).status).toBe(400);
  });

  it('an invitation is good for 7 days, and takes its user with it', async () => {
    const good = await invited();
    await pass('6 days 23 h 59 min');
    expect(
      (await project.anon.post('/auth/v1/invite/accept', { ...body(good), password: PASSWORD })).status,
    ).toBe(200);
    const dead = await invited();
    expect((await project.service.post('/auth/v1/invite', { email: dead.email })).status).toBe(409);
    await pass('7 days');
    expect(
      (await project.anon.post('/auth/v1/invite/accept', { ...body(dead), password: PASSWORD })).status,
    ).toBe(400);
    const again = await project.service.post<{ user: { id: string } }>('/auth/v1/invite', {
      email: dead.email,
    });
    expect(again.status).toBe(201);
    expect(again.body.user.id).not.toBe(dead.userId);
    expect(await usersOf(dead.email)).toBe(1);
    await pass('7 days');
    await signUp(dead.email);
    expect(await usersOf(good.email)).toBe(1);
  });

  it('a user who signed in by a magic link stays when the invitation expires', async () => {
    const { email } = await invited();
    await project.anon.post('/auth/v1/verify', { token: await magicToken(email, 2) });
    await pass('8 days');
    const again = await project.service.post('/auth/v1/invite', { email });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'email_taken' } } });
  });
});

function body({ token }: { token: string }): { token: string } {
  return { token };
}

describe('section 7: the status rules', () => {
  it('400 for a sign-up password shorter than 8 characters, and no user', async () => {
    const email = freshAddress();
    const answer = await project.anon.post('/auth/v1/signup', { email, password: '1234567' });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_failed' } } });
    expect(await usersOf(email)).toBe(0);
  });

  it('401 for the anon and the service key at GET user', async () => {
    for (const key of [project.anonKey, project.serviceKey]) {
      expect((await project.anon.as(key).get('/auth/v1/user')).status).toBe(401);
      expect((await project.anon.with({ apikey: key }).get('/auth/v1/user')).status).toBe(401);
    }
  });

  it('409 for a sign-up with an address that exists', async () => {
    const { user } = await signUp();
    const answer = await project.anon.post('/auth/v1/signup', { email: user.email, password: PASSWORD });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'email_taken' } } });
  });

  it('409 for an invitation of an address that exists, and no mail', async () => {
    const { user } = await signUp();
    const answer = await project.service.post('/auth/v1/invite', { email: user.email });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'email_taken' } } });
    expect(running.mailServer.received.some(({ to }) => to === user.email)).toBe(false);
  });

  it('502 when the mail cannot be sent, also for an address that exists, and no user row', async () => {
    const { user } = await signUp();
    const email = freshAddress();
    await running.mailServer.down();
    for (const address of [email, user.email]) {
      const answer = await project.service.post('/auth/v1/invite', { email: address });
      expect(answer).toMatchObject({ status: 502, body: { error: { code: 'mail_failed' } } });
    }
    await running.mailServer.up();
    expect(await usersOf(email)).toBe(0);
    expect((await project.service.post('/auth/v1/invite', { email })).status).toBe(201);
  });

  it('503 without mail settings, before anything else', async () => {
    const mute = await running.project({ mail: false });
    const { user } = await signUp(freshAddress(), mute);
    for (const email of [freshAddress(), user.email]) {
      const answer = await mute.service.post('/auth/v1/invite', { email });
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'mail_not_configured' } } });
    }
  });
});

describe('invitations between row and mail', () => {
  it('what a crash leaves blocks no later invitation', async () => {
    const { email, userId } = await invited();
    await running.environment.database.query(
      'UPDATE project_invitations SET sent_at = NULL WHERE user_id = $1',
      [userId],
    );
    const again = await project.service.post<{ user: { id: string } }>('/auth/v1/invite', { email });
    expect(again.status).toBe(201);
    expect(again.body.user.id).not.toBe(userId);
    expect(await usersOf(email)).toBe(1);
  });

  it('of simultaneous invitations of one address one is sent', async () => {
    const email = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => project.service.post('/auth/v1/invite', { email })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(running.mailServer.received.filter(({ to }) => to === email)).toHaveLength(1);
  });
});

describe('links', () => {
  it('lead to the pages of the project under public_url, whatever the request calls itself', async () => {
    const email = freshAddress();
    const forged = project.anon.with({ 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' });
    await forged.post('/auth/v1/magic-link', { email });
    const link = linkOf(await running.mailServer.mailTo(email));
    expect(`${link.origin}${link.pathname}`).toBe(`${PUBLIC_URL}/auth/v1/pages/${project.ref}/magic-link`);
  });
});
