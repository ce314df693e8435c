import { Client, PASSWORD, signUp } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { refusalsOf } from '../../../support/audit.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { codeOf, expectLimited, freshClientAddress, from, tally } from './callers.js';

const SIGN_IN = '/auth/v1/token?grant_type=password';
const WRONG = 'not the password of anyone';
const HOURLY = 24;
const REQUESTS = 60;
const ADMIN_TOKEN = 'the-token-of-the-operator';

describe('limits by caller, over two instances', () => {
  let environment: TestEnvironment;
  let here: ServiceProcess;
  let there: ServiceProcess;
  let urls: readonly [string, string];

  beforeAll(async () => {
    environment = await createEnvironment();
    const variables = {
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_SERVER__TRUST_PROXY: '1',
      SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
      SERVICE_LIMITS__SIGN_IN_FAILURES_PER_ACCOUNT_HOURLY: String(HOURLY),
      SERVICE_LIMITS__REQUESTS_PER_ADDRESS: String(REQUESTS),
      SERVICE_LIMITS__SIGN_UPS_PER_ADDRESS: '3',
    };
    [here, there] = await Promise.all([ServiceProcess.start(variables), ServiceProcess.start(variables)]);
    urls = [here.url ?? '', there.url ?? ''];
  });

  afterAll(async () => {
    await Promise.all([here.stop(), there.stop()]);
    await environment.dispose();
  });

  async function metric(line: RegExp): Promise<number> {
    const pages = await Promise.all(urls.map((url) => new Client(url).get<string>('/metrics')));
    return pages.reduce((sum, { body }) => sum + Number(line.exec(body)?.[1] ?? Number.NaN), 0);
  }

  const hashes = (): Promise<number> => metric(/^service_password_hashes_total (\d+)$/m);
  const limited = (): Promise<number> => metric(/^service_refusals_total\{code="rate_limited"\} (\d+)$/m);

  async function attempts(email: string, password: string, addresses: readonly string[]): Promise<Answer[]> {
    return await Promise.all(
      addresses.map((address, index) =>
        from(urls[index % 2] ?? '', address).post(SIGN_IN, { email, password }),
      ),
    );
  }

  it('let ten wrong passwords through for an account from one address, however many come at once', async () => {
    const { email } = await signUp(urls[0]);
    const address = freshClientAddress();
    const [hashesBefore, limitedBefore] = await Promise.all([hashes(), limited()]);
    const wrong = await attempts(
      email,
      WRONG,
      Array.from({ length: 24 }, () => address),
    );
    expect(tally(wrong)).toEqual({ '401 invalid_credentials': 10, '429 rate_limited': 14 });
    expect((await hashes()) - hashesBefore).toBe(10);
    expect(wrong[0]?.headers.get('ratelimit-policy')).toBe(
      `"requests_per_address";q=${REQUESTS};w=60, "sign_in_failures_per_account";q=10;w=900`,
    );
    expect((await limited()) - limitedBefore).toBe(14);
    const [right] = await attempts(email, PASSWORD, [address]);
    expectLimited(right as Answer, 'sign_in_failures_per_account');
    expect(tally(await attempts(email, PASSWORD, [freshClientAddress()]))).toEqual({ '200 ok': 1 });
  });

  it('treat an address without an account no differently', async () => {
    const { email } = await signUp(urls[0]);
    const seen: unknown[] = [];
    for (const guessed of [email, `nobody-${email}`]) {
      const client = from(urls[0]);
      const answers: unknown[] = [];
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const { status, body, headers } = await client.post(SIGN_IN, { email: guessed, password: WRONG });
        const fields = [...headers].filter(
          ([name]) => !['date', 'x-request-id', 'retry-after'].includes(name),
        );
        answers.push({ status, body, fields });
      }
      // Seconds that are left differ by chance.
      seen.push(JSON.parse(JSON.stringify(answers).replaceAll(/;t=\d+|in \d+ s/g, '')));
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  it('forget the failures of an account from an address once it signs in from there', async () => {
    const { email } = await signUp(urls[0]);
    const address = freshClientAddress();
    for (let round = 0; round < 2; round += 1) {
      const wrong = await attempts(
        email,
        WRONG,
        Array.from({ length: 9 }, () => address),
      );
      expect(tally(wrong)).toEqual({ '401 invalid_credentials': 9 });
      expect(tally(await attempts(email, PASSWORD, [address]))).toEqual({ '200 ok': 1 });
    }
  });

  it('do not refuse a client that signs in many times at once with the right password', async () => {
    const { email } = await signUp(urls[0]);
    const address = freshClientAddress();
    const right = await attempts(
      email,
      PASSWORD,
      Array.from({ length: 40 }, () => address),
    );
    expect(tally(right)).toEqual({ '200 ok': 40 });
  });

  it('bound the guesses from all addresses together, and leave the owner in', async () => {
    const { email } = await signUp(urls[0]);
    const home = freshClientAddress();
    expect(tally(await attempts(email, PASSWORD, [home]))).toEqual({ '200 ok': 1 });
    const others = Array.from({ length: HOURLY + 6 }, () => freshClientAddress());
    const wrong = await attempts(email, WRONG, others);
    expect(tally(wrong)).toEqual({ '401 invalid_credentials': HOURLY, '429 rate_limited': 6 });
    const [elsewhere] = await attempts(email, PASSWORD, [freshClientAddress()]);
    expectLimited(elsewhere as Answer, 'sign_in_failures_per_account_hourly');
    expect(tally(await attempts(email, PASSWORD, [home, home]))).toEqual({ '200 ok': 2 });
  });

  it('count the current password that a session must give like one at sign-in', async () => {
    const { email, accessToken } = await signUp(urls[0]);
    const client = from(urls[0]).as(accessToken);
    const answers: Answer[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1)
      answers.push(await client.send('DELETE', '/auth/v1/user', { password: WRONG }));
    expect(tally(answers)).toEqual({ '403 wrong_password': 10, '429 rate_limited': 1 });
    const signIn = await client.post(SIGN_IN, { email, password: PASSWORD });
    expectLimited(signIn, 'sign_in_failures_per_account');
  });

  it('bound the requests without good credentials of an address, and say what is left', async () => {
    const { accessToken } = await signUp(urls[0]);
    const address = freshClientAddress();
    const first = await from(urls[0], address).get('/auth/v1/pages/verify?token=none');
    expect(first.headers.get('ratelimit-policy')).toBe(`"requests_per_address";q=${REQUESTS};w=60`);
    expect(first.headers.get('ratelimit')).toMatch(
      new RegExp(`^"requests_per_address";r=${REQUESTS - 1};t=(?:60|5\\d)$`),
    );
    const kinds: ((client: Client) => Promise<Answer>)[] = [
      (client) => client.get('/auth/v1/pages/verify?token=none'),
      (client) => client.get('/auth/v1/user'),
      (client) => client.as('not a token').get('/auth/v1/orgs'),
      (client) => client.get('/admin/v1/users'),
    ];
    const answers = await Promise.all(
      Array.from({ length: REQUESTS + 3 }, (_, index) =>
        (kinds[index % kinds.length] as (typeof kinds)[number])(from(urls[index % 2] ?? '', address)),
      ),
    );
    expect(answers.filter((answer) => codeOf(answer) === '429 rate_limited')).toHaveLength(4);
    const client = from(urls[0], address);
    const refused = await client.get('/auth/v1/user');
    expectLimited(refused, 'requests_per_address');
    expect(refused.headers.get('ratelimit')).toMatch(/^"requests_per_address";r=0;t=\d+$/);
    // Whoever shows a good token is somebody, and keys are for everyone.
    expect((await client.as(accessToken).get('/auth/v1/user')).status).toBe(200);
    expect((await client.as(accessToken).get('/auth/v1/user')).headers.get('ratelimit')).toBeNull();
    expect((await client.get('/auth/v1/keys')).status).toBe(200);
    expect(codeOf(await from(urls[0]).get('/auth/v1/user'))).toBe('401 unauthenticated');
  });

  it('take an IPv6 /64 for one caller, and the machine itself for none', async () => {
    const answers = await Promise.all(
      Array.from({ length: REQUESTS + 1 }, (_, index) =>
        from(urls[0], `2001:db8:0:1::${(index + 1).toString(16)}`).get('/auth/v1/user'),
      ),
    );
    expect(tally(answers)).toEqual({ '401 unauthenticated': REQUESTS, '429 rate_limited': 1 });
    expect(codeOf(await from(urls[0], '2001:db8:0:2::1').get('/auth/v1/user'))).toBe('401 unauthenticated');
    const local = await Promise.all(
      Array.from({ length: REQUESTS + 1 }, () => new Client(urls[0]).get('/auth/v1/user')),
    );
    expect(tally(local)).toEqual({ '401 unauthenticated': REQUESTS + 1 });
  });

  it('bound the accounts that an address creates, but not its vain attempts', async () => {
    const client = from(urls[0]);
    const { email: taken } = await signUp(urls[0]);
    const body = (number: number): unknown => ({ email: `n${number}-${taken}`, password: PASSWORD });
    expect(codeOf(await client.post('/auth/v1/signup', { email: taken, password: PASSWORD }))).toBe(
      '409 email_taken',
    );
    const answers = await Promise.all(
      [1, 2, 3, 4].map((number) => client.post('/auth/v1/signup', body(number))),
    );
    expect(tally(answers)).toEqual({ '201 ok': 3, '429 rate_limited': 1 });
    expectLimited(await client.post('/auth/v1/signup', body(5)), 'sign_ups_per_address');
  });

  it('bound failed one-time tokens, API keys and operator tokens by address, and let good ones in', async () => {
    const guesses: [(client: Client) => Promise<Answer>, string][] = [
      [(client) => client.post('/auth/v1/verify', { token: 'a guess' }), '400 invalid_token'],
      [(client) => client.post('/auth/v1/invitations/accept', { token: 'a guess' }), '400 invalid_token'],
      [(client) => client.with({ 'x-api-key': 'svc_guess' }).get('/jobs/v1/jobs'), '401 invalid_api_key'],
      [(client) => client.as('a-guess').get('/admin/v1/users'), '401 invalid_admin_token'],
    ];
    for (const [guess, refusal] of guesses) {
      const client = from(urls[0]);
      const answers: Answer[] = [];
      for (let attempt = 0; attempt < 13; attempt += 1) answers.push(await guess(client));
      expect(tally(answers)).toEqual({ [refusal]: 10, '429 rate_limited': 3 });
      expectLimited(answers.at(-1) as Answer, 'sign_in_failures_per_account');
      expect((await client.as(ADMIN_TOKEN).get('/admin/v1/users')).status).toBe(200);
    }
    // What is refused for the limit writes nothing.
    expect(await refusalsOf(environment.database, 'operator.token_refused')).toBe(10);
  });
});
