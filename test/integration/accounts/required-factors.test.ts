import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { actionsOf } from '../../support/accounts.js';
import { PASSWORD } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { tokenOf } from '../../support/mail-server.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects } from '../../support/mailing-project.js';
import { passkeyGrant } from '../../support/passkey.js';
import type { TestProject } from '../../support/project-environment.js';
import { SoftwareAuthenticator } from '../../support/software-authenticator.js';
import type { CreationOptions, CredentialJson } from '../../support/software-authenticator.js';

interface Body {
  access_token?: string;
  refresh_token?: string;
  recovery_codes?: string[];
  user?: { id: string; email: string };
  error?: {
    code: string;
    challenge?: { token: string };
    enrolment?: { token: string; factors: string[] };
  };
}

let addresses = 0;
const freshAddress = (): string => `person${(addresses += 1)}@example.com`;
const SETTINGS = '/auth/v1/sign-in-settings';

/** Section 11 of the contract: a project's `require_second_factor`, at sign-in. */
describe('a project that demands a second factor', () => {
  let running: MailingProjects;

  beforeAll(async () => {
    running = await startMailingProjects();
  });

  afterAll(async () => {
    await running.stop();
  });

  async function demand({ service }: TestProject, isDemanded = true): Promise<void> {
    const changed = await service.send('PATCH', SETTINGS, { require_second_factor: isDemanded });
    expect(changed).toMatchObject({ status: 200, body: { require_second_factor: isDemanded } });
  }

  async function demanding(): Promise<TestProject> {
    const project = await running.project();
    await demand(project);
    return project;
  }

  const originOf = ({ ref }: TestProject): string => `https://${ref}.projects.test`;

  function enrolmentOf({ status, body }: Answer<Body>): string {
    expect([status, body.error?.code]).toEqual([403, 'second_factor_required']);
    expect([body.access_token, body.refresh_token, body.error?.challenge]).toEqual(Array(3).fill(undefined));
    expect(body.error?.enrolment?.factors).toEqual(['totp', 'passkey']);
    return body.error?.enrolment?.token ?? '';
  }

  /** An account without a factor, as a sign-up in the project makes it. */
  async function account({ anon }: TestProject): Promise<{ email: string; token: string }> {
    const email = freshAddress();
    const token = enrolmentOf(await anon.post<Body>('/auth/v1/signup', { email, password: PASSWORD }));
    return { email, token };
  }

  async function signIn({ anon }: TestProject, email: string): Promise<Answer<Body>> {
    return await anon.post<Body>('/auth/v1/token', { email, password: PASSWORD });
  }

  async function enrolTotp(
    { anon }: TestProject,
    enrolment_token: string,
  ): Promise<{ answer: Answer<Body>; totp: TOTP }> {
    const begun = await anon.post<{ id: string; secret: string }>('/auth/v1/enrolment/totp', {
      enrolment_token,
      name: 'Phone',
    });
    expect(begun.status).toBe(201);
    const totp = new TOTP({ secret: begun.body.secret });
    const code = totp.generate();
    const path = `/auth/v1/enrolment/totp/${begun.body.id}/confirm`;
    return { answer: await anon.post<Body>(path, { enrolment_token, code }), totp };
  }

  async function passkeyOptions(
    { anon }: TestProject,
    enrolment_token: string,
  ): Promise<Answer<CreationOptions & Body>> {
    return await anon.post<CreationOptions & Body>('/auth/v1/enrolment/passkeys/options', {
      enrolment_token,
    });
  }

  async function addPasskey(
    project: TestProject,
    enrolment_token: string,
    authenticator = new SoftwareAuthenticator(originOf(project)),
  ): Promise<Answer<Body>> {
    const { body } = await passkeyOptions(project, enrolment_token);
    return await sendPasskey(project, enrolment_token, authenticator.create(body));
  }

  async function sendPasskey(
    { anon }: TestProject,
    enrolment_token: string,
    credential: CredentialJson,
  ): Promise<Answer<Body>> {
    const passkey = { enrolment_token, name: 'Laptop', credential };
    return await anon.post<Body>('/auth/v1/enrolment/passkeys', passkey);
  }

  async function expectVoid(project: TestProject, token: string): Promise<void> {
    const { status, body } = await passkeyOptions(project, token);
    expect([status, body.error?.code]).toEqual([401, 'invalid_challenge']);
  }

  it('answers a sign-up and a sign-in without one with a token that adds it, and with no session', async () => {
    const project = await demanding();
    const { email } = await account(project);
    enrolmentOf(await signIn(project, email));
    const sessions = await running.environment.database.query(
      'SELECT session.id FROM sessions session JOIN users ON users.id = session.user_id WHERE users.realm_id = $1',
      [project.id],
    );
    expect(sessions).toEqual([]);
  });

  it('refuses a wrong password as always', async () => {
    const project = await demanding();
    const { email } = await account(project);
    const wrong = await project.anon.post<Body>('/auth/v1/token', { email, password: 'wrong wrong wrong' });
    expect([wrong.status, wrong.body.error?.code]).toEqual([401, 'invalid_credentials']);
  });

  const MAILED = {
    'magic link': ['/auth/v1/magic-link', '/auth/v1/verify'],
    recovery: ['/auth/v1/recover', '/auth/v1/recover/complete'],
    invitation: ['/auth/v1/invite', '/auth/v1/invite/accept'],
  } as const;

  it.each(Object.entries(MAILED))('demands it of a %s too', async (way, [request, complete]) => {
    const project = await demanding();
    const { anon, service } = project;
    const email = freshAddress();
    if (way !== 'invitation') await anon.post('/auth/v1/signup', { email, password: PASSWORD });
    await (way === 'invitation' ? service : anon).post(request, { email });
    const token = tokenOf(await running.mailServer.mailTo(email, 1));
    const body = way === 'magic link' ? { token } : { token, password: PASSWORD };
    const enrolment = enrolmentOf(await anon.post<Body>(complete, body));
    expect((await addPasskey(project, enrolment)).status).toBe(200);
  });

  it('signs in who adds an authenticator application, and asks for a code from then on', async () => {
    const project = await demanding();
    const { email, token } = await account(project);
    const { answer, totp } = await enrolTotp(project, token);
    const { body } = answer;
    expect(body.recovery_codes).toHaveLength(10);
    expect(decodeJwt(body.access_token ?? '')).toMatchObject({ aal: 2, amr: ['pwd', 'otp', 'mfa'] });
    expect((await project.anon.as(body.access_token ?? '').get('/auth/v1/user')).status).toBe(200);
    const next = await signIn(project, email);
    expect([next.status, next.body.error?.code]).toEqual([401, 'second_factor_required']);
    const completed = await project.anon.post<Body>('/auth/v1/token', {
      challenge_token: next.body.error?.challenge?.token,
      // That of the next step, as the other was used; a step that ends meanwhile does no harm.
      code: totp.generate({ timestamp: Date.now() + 30_000 }),
    });
    expect(completed.status).toBe(200);
    expect(await actionsOf(running.environment.database, body.user?.id ?? '')).toContain('user.factor_added');
    const mail = await running.mailServer.mailTo(email, 1);
    expect(mail.email.subject).toContain('second factor was added');
  });

  it('signs in who adds a passkey, which signs in alone from then on', async () => {
    const project = await demanding();
    const { token } = await account(project);
    const authenticator = new SoftwareAuthenticator(originOf(project));
    const { body } = await addPasskey(project, token, authenticator);
    expect(decodeJwt(body.access_token ?? '')).toMatchObject({
      aal: 2,
      amr: ['pwd', 'hwk', 'user', 'mfa'],
    });
    const grant = await passkeyGrant(project.anon, authenticator);
    const alone = await project.anon.post<Body>('/auth/v1/token', grant);
    expect(decodeJwt(alone.body.access_token ?? '')).toMatchObject({ aal: 2, amr: ['hwk', 'user', 'mfa'] });
  });

  it('takes each token once, also of many requests at one time', async () => {
    const project = await demanding();
    const { email, token } = await account(project);
    const passkeys = [];
    for (const authenticator of [1, 2, 3].map(() => new SoftwareAuthenticator(originOf(project))))
      passkeys.push(authenticator.create((await passkeyOptions(project, token)).body));
    const answers = await Promise.all(passkeys.map((passkey) => sendPasskey(project, token, passkey)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    await expectVoid(project, token);
    const factors = await running.environment.database.query(
      'SELECT id FROM factors WHERE user_id = (SELECT id FROM users WHERE email = $1 AND realm_id = $2)',
      [email, project.id],
    );
    expect(factors).toHaveLength(1);
  });

  it('gives the token no other power, and takes no other token for it', async () => {
    const [project, other] = [await demanding(), await demanding()];
    const { email, token } = await account(project);
    await expectVoid(other, token);
    for (const path of ['/auth/v1/user', '/auth/v1/factors', '/auth/v1/sessions'])
      expect((await project.anon.as(token).get(path)).status).toBe(401);
    const asChallenge = { challenge_token: token, code: '000000' };
    const refused = await project.anon.post<Body>('/auth/v1/token', asChallenge);
    expect([refused.status, refused.body.error?.code]).toEqual([401, 'invalid_challenge']);
    await enrolTotp(project, token);
    await expectVoid(project, (await signIn(project, email)).body.error?.challenge?.token ?? '');
  });

  it('voids the token by five wrong codes, and by another factor', async () => {
    const project = await demanding();
    const { email, token } = await account(project);
    const { body } = await project.anon.post<{ id: string }>('/auth/v1/enrolment/totp', {
      enrolment_token: token,
      name: 'Phone',
    });
    const path = `/auth/v1/enrolment/totp/${body.id}/confirm`;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const wrong = await project.anon.post<Body>(path, { enrolment_token: token, code: '000000' });
      expect(wrong.body.error?.code).toBe('invalid_second_factor');
    }
    await expectVoid(project, token);
    const [first, second] = [
      enrolmentOf(await signIn(project, email)),
      enrolmentOf(await signIn(project, email)),
    ];
    expect((await enrolTotp(project, first)).answer.status).toBe(200);
    await expectVoid(project, second);
  });

  it.each([
    ['a new password', `UPDATE users SET password_hash = 'another' WHERE email = $1`],
    ['a disabled account', 'UPDATE users SET disabled_at = now() WHERE email = $1'],
    ['its deletion', 'DELETE FROM users WHERE email = $1'],
    [
      'its expiry',
      `UPDATE second_factor_challenges SET expires_at = now()
       WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    ],
  ])('voids the token by %s', async (_name, change) => {
    const project = await demanding();
    const { email, token } = await account(project);
    await running.environment.database.query(change, [email]);
    await expectVoid(project, token);
  });

  it('voids the token when the sessions of the account are ended', async () => {
    const project = await demanding();
    const { email, token } = await account(project);
    const { body } = await project.service.get<{ id: string }[]>(
      `/auth/v1/users?email=${encodeURIComponent(email)}`,
    );
    const ended = await project.service.send('DELETE', `/auth/v1/users/${body[0]?.id ?? ''}/sessions`);
    expect(ended.status).toBeLessThan(300);
    expect(
      await project.anon.post<Body>('/auth/v1/enrolment/totp', { enrolment_token: token, name: 'Phone' }),
    ).toMatchObject({ status: 401, body: { error: { code: 'invalid_challenge' } } });
  });

  it('leaves sessions open that began before, and other projects alone', async () => {
    const [project, other] = [await running.project(), await demanding()];
    const email = freshAddress();
    const { body } = await project.anon.post<Body>('/auth/v1/signup', { email, password: PASSWORD });
    await demand(project);
    const refreshed = await project.anon.post<Body>('/auth/v1/token', { refresh_token: body.refresh_token });
    expect(refreshed.status).toBe(200);
    await demand(other, false);
    expect((await other.anon.post('/auth/v1/signup', { email, password: PASSWORD })).status).toBe(201);
    enrolmentOf(await signIn(project, email));
  });

  it('has settings that only its service key reads and changes, on record', async () => {
    const project = await running.project();
    const wanted = { require_second_factor: true };
    expect((await project.anon.send('PATCH', SETTINGS, wanted)).status).toBe(403);
    expect((await project.service.get(SETTINGS)).body).toEqual({
      require_second_factor: false,
      passkeys: {
        rp_id: `${project.ref}.projects.test`,
        rp_name: `Project ${project.ref}`,
        origins: [originOf(project)],
      },
    });
    await demand(project);
    const entries = await running.environment.database.query<{ details: unknown }>(
      `SELECT details FROM audit_entries WHERE org_id = $1 AND action = 'sign_in_settings.changed'`,
      [project.id],
    );
    expect(entries).toEqual([{ details: wanted }]);
  });
});
