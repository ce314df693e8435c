import { Client, PASSWORD, signUp } from '../../../support/client.js';
import type { Answer, SignedUp } from '../../../support/client.js';
import { fetch } from '../../../support/fetch.js';
import { sharedProgram } from '../../../support/shared-program.js';
import type { SharedProgram } from '../../../support/shared-program.js';
import { ConsoleCaller, COOKIE } from './console-caller.js';

interface Refusal {
  error?: { code: string };
}

describe("the console's session", () => {
  let program: SharedProgram;
  let user: SignedUp;
  let browser: ConsoleCaller;

  beforeAll(async () => {
    program = await sharedProgram();
  });

  beforeEach(async () => {
    user = await signUp(program.url);
    browser = new ConsoleCaller(program.url);
  });

  const signIn = async (): Promise<void> => {
    expect((await browser.post('', { email: user.email, password: PASSWORD })).status).toBe(200);
  };

  const refusalOf = ({ status, body }: Answer<unknown>): [number, string | undefined] => [
    status,
    (body as Refusal).error?.code,
  ];

  it('tells before a sign-in what the deployment is', async () => {
    const answer = await new Client(program.url).get('/console/session/options');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        profile: 'organization',
        setup_required: false,
        sign_up: 'open',
        password_min_length: 8,
        mail_configured: false,
        version: '0.1.0',
      },
    });
  });

  it('gives an access token in the body and the refresh token in the cookie alone', async () => {
    const answer = await browser.post('', { email: user.email, password: PASSWORD });
    expect(answer.body).toMatchObject({ kind: 'account', operator: null, user: { id: user.userId } });
    expect(Object.keys(answer.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'factor_required',
      'kind',
      'operator',
      'user',
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const profile = await new Client(program.url).as(answer.body.access_token).get('/auth/v1/user');
    expect(profile).toMatchObject({ status: 200, body: { email: user.email } });
  });

  it('is kept in a cookie that no script, no other site and no plain connection gets', async () => {
    const { headers } = await browser.post('', { email: user.email, password: PASSWORD });
    const [cookie = ''] = headers.getSetCookie();
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(pair).toMatch(new RegExp(`^${COOKIE}=account\\.[\\w-]{43}$`));
    expect(attributes.sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/console/session',
      'SameSite=Strict',
      'Secure',
    ]);
  });

  it('is renewed by the cookie, which is good for one use', async () => {
    await signIn();
    const former = browser.cookie;
    const renewed = await browser.post('/refresh');
    expect(renewed).toMatchObject({ status: 200, body: { user: { id: user.userId }, operator: null } });
    expect(browser.cookie).not.toBe(former);
    expect(await browser.post('/refresh')).toMatchObject({ status: 200 });
  });

  it('outlives two tabs that renew it at once', async () => {
    await signIn();
    const tabs = Array.from({ length: 10 }, () => browser.twin());
    const answers = await Promise.all(tabs.map((tab) => tab.post('/refresh')));
    expect(answers.map(({ status }) => status)).toEqual(tabs.map(() => 200));
    expect(new Set(tabs.map(({ cookie }) => cookie)).size).toBe(1);
    expect(await tabs[0]?.post('/refresh')).toMatchObject({ status: 200 });
  });

  it('outlives an answer that got lost', async () => {
    await signIn();
    const reloaded = browser.twin();
    await browser.post('/refresh');
    expect(await reloaded.post('/refresh')).toMatchObject({ status: 200 });
    expect(reloaded.cookie).toBe(browser.cookie);
  });

  it('ends when its cookie is used again long after', async () => {
    await signIn();
    const thief = browser.twin();
    await browser.post('/refresh');
    await program.database.query(
      `UPDATE refresh_tokens SET rotated_at = rotated_at - interval '31 seconds'
       WHERE rotated_at IS NOT NULL AND session_id IN (SELECT id FROM sessions WHERE user_id = $1)`,
      [user.userId],
    );
    expect(refusalOf(await thief.post('/refresh'))).toEqual([401, 'refresh_token_reused']);
    expect(refusalOf(await browser.post('/refresh'))).toEqual([401, 'session_revoked']);
  });

  it('ends when its refresh token comes outside the console a second time, at once', async () => {
    await signIn();
    const token = browser.cookie?.split('.')[1];
    await browser.post('/refresh');
    const elsewhere = await new Client(program.url).post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: token,
    });
    expect(refusalOf(elsewhere)).toEqual([401, 'refresh_token_reused']);
    expect(refusalOf(await browser.post('/refresh'))).toEqual([401, 'session_revoked']);
  });

  it('ends by signing out, and the cookie goes', async () => {
    await signIn();
    const twin = browser.twin();
    expect((await browser.send('DELETE', '')).status).toBe(204);
    expect(browser.cookie).toBeNull();
    expect(refusalOf(await twin.post('/refresh'))).toEqual([401, 'session_revoked']);
    expect((await browser.send('DELETE', '')).status).toBe(204);
  });

  it('ends when somebody else signs in with the same browser', async () => {
    await signIn();
    const former = browser.twin();
    const other = await signUp(program.url);
    const answer = await browser.post('', { email: other.email, password: PASSWORD });
    expect(answer.body.user.id).toBe(other.userId);
    expect(refusalOf(await former.post('/refresh'))).toEqual([401, 'session_revoked']);
  });

  it('does not begin with a wrong password, nor go on without a cookie or with one of others', async () => {
    const wrong = await browser.post('', { email: user.email, password: 'not the password' });
    expect(refusalOf(wrong)).toEqual([401, 'invalid_credentials']);
    expect(wrong.headers.getSetCookie()).toEqual([]);
    for (const cookie of [null, 'account.', `account.${'x'.repeat(43)}`, 'project.x', 'x']) {
      browser.cookie = cookie;
      expect(refusalOf(await browser.post('/refresh'))).toEqual([401, 'invalid_refresh_token']);
    }
  });

  describe('asked for by a page of another site', () => {
    it.each([
      ['without the header of the console', {}],
      ['with another value in it', { 'x-service-console': 'true' }],
      ['with the origin of another site', { 'x-service-console': '1', origin: 'https://evil.example' }],
      ['with an origin that is hidden', { 'x-service-console': '1', origin: 'null' }],
      ['with another port of the same host', { 'x-service-console': '1', origin: 'http://127.0.0.1:1' }],
      ['across sites', { 'x-service-console': '1', 'sec-fetch-site': 'cross-site' }],
      ['from a sibling domain', { 'x-service-console': '1', 'sec-fetch-site': 'same-site' }],
    ])('%s is refused and changes nothing', async (_, headers: Record<string, string>) => {
      await signIn();
      const attacker = browser.twin(headers);
      for (const [method, path, body] of [
        ['POST', '', { email: user.email, password: PASSWORD }],
        ['POST', '/refresh', {}],
        ['DELETE', '', undefined],
      ] as const) {
        const answer = await attacker.send(method, path, body);
        expect(refusalOf(answer)).toEqual([403, 'cross_site_request']);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      expect(await browser.post('/refresh')).toMatchObject({ status: 200 });
    });

    it('as a form is refused', async () => {
      await signIn();
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
        const answer = await fetch(`${program.url}/console/session/refresh`, {
          method: 'POST',
          headers: { 'content-type': type, cookie: `${COOKIE}=${browser.cookie ?? ''}` },
          body: 'x-service-console=1',
        });
        expect([403, 415]).toContain(answer.status);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      expect(await browser.post('/refresh')).toMatchObject({ status: 200 });
    });

    it('gets no permission to send the header', async () => {
      const answer = await fetch(`${program.url}/console/session`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-service-console',
        },
      });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  it('begins for a page of the same origin', async () => {
    const page = { 'x-service-console': '1', origin: program.url, 'sec-fetch-site': 'same-origin' };
    browser = new ConsoleCaller(program.url, page);
    await signIn();
    expect(await browser.post('/refresh')).toMatchObject({ status: 200 });
  });
});
