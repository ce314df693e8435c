import { OperatorSetup } from '../../../src/identity/index.js';
import { ConsoleCaller } from '../../slow/e2e/console/console-caller.js';
import type { ConsoleSession } from '../../slow/e2e/console/console-caller.js';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import { sendRaw } from '../../support/raw-http.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

function refusalOf({ status, body }: Answer<unknown>): [number, string | undefined] {
  return [status, (body as { error?: { code: string } }).error?.code];
}

describe('the setup code of a deployment without an operator', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let setup: OperatorSetup;
  let browser: ConsoleCaller;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start(environment.variables);
    setup = service.application.get(OperatorSetup);
  });

  beforeEach(async () => {
    await environment.database.query('DELETE FROM operators');
    browser = new ConsoleCaller(service.url);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  /** As the start of the program makes one. */
  async function begin(): Promise<string> {
    const code = await setup.begin();
    if (code === null) throw new Error('there is an operator');
    return code;
  }

  const use = async (code: string, email: string, password = PASSWORD): Promise<Answer<ConsoleSession>> =>
    await browser.post('/setup', { code, email, password });

  const setupRequired = async (): Promise<unknown> =>
    (await new Client(service.url).get('/console/session/options')).body.setup_required;

  it('creates the account of the first operator, signs in, and is good for no second use', async () => {
    const code = await begin();
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await setupRequired()).toBe(true);
    const answer = await use(code.toLowerCase().replaceAll('-', ' '), 'first@example.com');
    expect(answer).toMatchObject({
      status: 200,
      body: { operator: 'full', user: { email: 'first@example.com' } },
    });
    const operator = new Client(service.url).as(answer.body.access_token);
    expect(refusalOf(await operator.get('/admin/v1/orgs'))).toEqual([403, 'second_factor_required']);
    expect((await browser.post('/refresh')).status).toBe(200);
    expect(await setupRequired()).toBe(false);
    expect(refusalOf(await use(code, 'second@example.com'))).toEqual([403, 'setup_closed']);
    expect(await setup.begin()).toBeNull();
  });

  it('is used by one of several at once', async () => {
    const code = await begin();
    const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
    const answers = await Promise.all(emails.map((email) => use(code, email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const operators = await environment.database.query('SELECT user_id FROM operators');
    expect(operators).toHaveLength(1);
  });

  it('stays good however many wrong codes anyone sends', async () => {
    const code = await begin();
    for (let tries = 0; tries < 12; tries += 1)
      expect(refusalOf(await use('0000-0000-0000', 'late@example.com'))).toEqual([403, 'invalid_setup_code']);
    expect(await setupRequired()).toBe(true);
    expect((await use(code, 'late@example.com')).status).toBe(200);
  });

  it('is taken from no page of another name that leads to a listener on loopback', async () => {
    const { port } = new URL(service.url);
    const from = async (host: string): Promise<string> => {
      const body = JSON.stringify({ code: '0000-0000-0000', email: 'page@example.com', password: PASSWORD });
      const head = [
        'POST /console/session/setup HTTP/1.1',
        `Host: ${host}:${port}`,
        `Origin: http://${host}:${port}`,
        'X-Service-Console: 1',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Connection: close',
      ];
      const { text } = await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n${body}`);
      return (JSON.parse(text) as { error: { code: string } }).error.code;
    };
    await begin();
    expect(await from('rebound.example')).toBe('cross_site_request');
    expect(await from('localhost')).toBe('invalid_setup_code');
    expect(await from('127.0.0.1')).toBe('invalid_setup_code');
  });

  it('is kept for another try when the password is refused', async () => {
    const code = await begin();
    expect(refusalOf(await use(code, 'weak@example.com', 'password123'))).toEqual([400, 'weak_password']);
    expect((await use(code, 'weak@example.com')).status).toBe(200);
  });

  it('makes an existing account the operator only with its password', async () => {
    const user = await signUp(service.url);
    const code = await begin();
    expect(refusalOf(await use(code, user.email, 'not the password of it'))).toEqual([
      401,
      'invalid_credentials',
    ]);
    expect(await use(code, user.email)).toMatchObject({ status: 200, body: { user: { id: user.userId } } });
  });

  it('is void once an operator was added by another way', async () => {
    const code = await begin();
    const user = await signUp(service.url);
    await environment.database.query('INSERT INTO operators (user_id, read_only) VALUES ($1, true)', [
      user.userId,
    ]);
    expect(refusalOf(await use(code, 'tardy@example.com'))).toEqual([403, 'setup_closed']);
  });
});
