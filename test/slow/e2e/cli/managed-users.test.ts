import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { Client, PASSWORD, signUp } from '../../../support/client.js';
import type { SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { createOperatorAccount, nextCodeOf } from '../../../support/operator-account.js';
import type { OperatorAccount } from '../../../support/operator-account.js';
import { addPasskey } from '../../../support/passkey.js';
import { createProject, createProjectEnvironment } from '../../../support/project-environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';
import { runCli, runSeveral } from './run-cli.js';
import type { CommandOutcome } from './run-cli.js';

/** Each command is a process that starts, on machines that may be busy. */
const LIMIT_MS = 120_000;

/** Command lines without spaces within their words, one after another. */
async function outcomesOf(variables: Record<string, string>, ...lines: string[]): Promise<CommandOutcome[]> {
  return await runSeveral(
    lines.map((line) => line.split(' ')),
    variables,
  );
}

describe('the command line of an operator', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let folder: string;
  let user: SignedUp;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    folder = await mkdtemp(join(tmpdir(), 'servicectl-operator-'));
    user = await signUp(service.url);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** The variables of somebody who has signed in. */
  async function signedIn(person: { email: string } | OperatorAccount): Promise<Record<string, string>> {
    const { email } = person;
    const variables = { SERVICE_CLI_CONFIG: join(folder, email) };
    const login = ['login', '--url', service.url, '--email', email, '--password-stdin'];
    const factor = 'recoveryCodes' in person ? ['--code', nextCodeOf(person)] : [];
    expect((await runCli([...login, ...factor], variables, PASSWORD)).code).toBe(0);
    return variables;
  }

  it(
    'imports accounts, lists what is wrong, and goes on at a line',
    async () => {
      const variables = await signedIn(await createOperatorAccount(environment.database, 'organization'));
      const [one, two] = ['one', 'two'].map(
        (name) => `${name}-${randomBytes(4).toString('hex')}@example.com`,
      );
      const file = join(folder, 'accounts.ndjson');
      const report = join(folder, 'problems.ndjson');
      const lines = [
        { email: one },
        { email: 'nobody' },
        { email: one },
        { email: two, email_verified: true },
      ];
      await writeFile(file, `\uFEFF${lines.map((line) => JSON.stringify(line)).join('\n')}`);
      const [from, wrong, again, absent] = await outcomesOf(
        variables,
        `users import ${file} --from 4 --json`,
        `users import ${file} --report ${report}`,
        `users import ${file} --from 3 --json`,
        `users import ${file}x`,
      );
      expect(JSON.parse(from?.stdout ?? '')).toEqual({ lines: 4, created: 1, skipped: 0, refused: 0 });
      expect(wrong).toMatchObject({ code: 1, stdout: '1 created, 2 existed, 1 refused.\n' });
      expect(wrong?.stderr).toContain('Line 2: email must be an e-mail address');
      const problems = (await readFile(report, 'utf8')).trimEnd().split('\n');
      expect(problems.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual([2, 3, 4]);
      expect(again?.code).toBe(0);
      expect(JSON.parse(again?.stdout ?? '')).toMatchObject({ created: 0, skipped: 2 });
      expect(absent).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('there is no file') as string,
      });
    },
    LIMIT_MS,
  );

  it(
    'lists and shows users, ends their sessions, and disables and enables them, over the API',
    async () => {
      const variables = await signedIn(await createOperatorAccount(environment.database, 'organization'));
      const [listed, shown, sessions, unasked, ended, none, disabled] = await outcomesOf(
        variables,
        `users --search ${user.email.slice(0, 8)} --json`,
        `users show ${user.email.toUpperCase()}`,
        `users sessions ${user.email} --json`,
        `users sessions ${user.email} --end`,
        `users sessions ${user.email} --end --yes`,
        `users sessions ${user.userId}`,
        `users disable ${user.email} --json`,
      );
      expect(JSON.parse(listed?.stdout ?? '')).toMatchObject([{ id: user.userId, email: user.email }]);
      expect(shown?.stdout).toContain(user.userId);
      expect(JSON.parse(sessions?.stdout ?? '')).toHaveLength(1);
      expect(unasked?.code).toBe(2);
      expect(ended?.stdout).toBe(`Ended all sessions of ${user.email}.\n`);
      expect(none?.stdout).toBe('The user has no live session.\n');
      expect(JSON.parse(disabled?.stdout ?? '')).toMatchObject({ id: user.userId, disabled: true });
      await until(async () => (await user.client.get('/auth/v1/user')).status === 401, PROMPTLY_MS);
      const [enabled, unknown] = await outcomesOf(
        variables,
        `users enable ${user.userId}`,
        'users show nobody@example.com',
      );
      expect(enabled?.stdout).toBe(`${user.email} is enabled.\n`);
      expect([unknown?.code, unknown?.stderr]).toEqual([
        1,
        expect.stringContaining('there is no user with the address nobody@example.com'),
      ]);
      const credentials = { email: user.email, password: PASSWORD };
      const again = await new Client(service.url).post('/auth/v1/token?grant_type=password', credentials);
      expect(again.status).toBe(200);
    },
    LIMIT_MS,
  );

  it(
    'signs in with the code of a second factor, and resets the factors of somebody who has lost them',
    async () => {
      const ada = await signUp(service.url);
      const added = await ada.client.post<{ id: string; secret: string }>('/auth/v1/factors/totp', {
        name: 'Phone',
      });
      const totp = new TOTP({ secret: added.body.secret });
      const before = totp.generate({ timestamp: Date.now() - 30_000 });
      await ada.client.post(`/auth/v1/factors/totp/${added.body.id}/confirm`, { code: before });
      const variables = { SERVICE_CLI_CONFIG: join(folder, ada.email) };
      const login = ['login', '--url', service.url, '--email', ada.email, '--password-stdin'];
      const unasked = await runCli(login, variables, PASSWORD);
      expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--code')]);
      expect((await runCli([...login, '--code', totp.generate()], variables, PASSWORD)).code).toBe(0);

      const operator = await createOperatorAccount(environment.database, 'organization');
      const [reset] = await outcomesOf(await signedIn(operator), `users reset-factors ${ada.email} --yes`);
      expect(reset?.stdout).toBe(`Removed all second factors of ${ada.email}.\n`);
      expect((await runCli(login, variables, PASSWORD)).code).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'says what to do where only a passkey is in force, and takes a recovery code',
    async () => {
      const ada = await signUp(service.url);
      const origin = service.url.replace('127.0.0.1', 'localhost');
      const { recoveryCodes } = await addPasskey(ada.client, origin);
      const login = ['login', '--url', service.url, '--email', ada.email, '--password-stdin'];
      const variables = { SERVICE_CLI_CONFIG: join(folder, ada.email) };
      const unasked = await runCli(login, variables, PASSWORD);
      expect(unasked.code).toBe(2);
      expect(unasked.stderr).toContain('passkey, which only browsers can use');
      expect(unasked.stderr).toContain(`${service.url}/console/account`);
      const [code = ''] = recoveryCodes;
      expect((await runCli([...login, '--code', code], variables, PASSWORD)).code).toBe(0);
      await environment.database.query('DELETE FROM recovery_codes WHERE user_id = $1', [ada.userId]);
      const without = await runCli(login, variables, PASSWORD);
      expect([without.code, without.stderr]).toEqual([4, expect.stringContaining('signs in with a passkey')]);
    },
    LIMIT_MS,
  );

  it(
    'lists no users for a member, and lets a read-only operator disable nobody',
    async () => {
      const member = await signUp(service.url);
      const reader = await createOperatorAccount(environment.database, 'organization', 'read_only');
      const [refused] = await outcomesOf(await signedIn(member), 'users');
      // Without admin.token, the endpoints do not exist for members.
      expect([refused?.code, refused?.stdout]).toEqual([1, '']);
      const [listed, denied] = await outcomesOf(
        await signedIn(reader),
        'users --limit 1 --json',
        `users disable ${member.email}`,
      );
      expect(JSON.parse(listed?.stdout ?? '')).toHaveLength(1);
      expect([denied?.code, denied?.stdout]).toEqual([4, '']);
      expect((await member.client.get('/auth/v1/user')).status).toBe(200);
    },
    LIMIT_MS,
  );
});

it(
  'servicectl users with a service key manages the users of its project, and no others',
  async () => {
    const environment = await createProjectEnvironment();
    const service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    try {
      const [mine, theirs] = [
        await createProject(service.url, environment.adminToken),
        await createProject(service.url, environment.adminToken),
      ];
      const [ours, other] = [0, 1].map(() => `${randomBytes(6).toString('hex')}@example.com`);
      await mine.anon.post('/auth/v1/signup', { email: ours, password: PASSWORD });
      await theirs.anon.post('/auth/v1/signup', { email: other, password: PASSWORD });
      const variables = { SERVICE_URL: service.url, SERVICE_API_KEY: mine.serviceKey };
      const [listed, disabled, foreign] = await outcomesOf(
        variables,
        'users --json',
        `users disable ${ours ?? ''}`,
        `users disable ${other ?? ''}`,
      );
      expect((JSON.parse(listed?.stdout ?? '') as { email: string }[]).map(({ email }) => email)).toEqual([
        ours,
      ]);
      expect(disabled?.stdout).toBe(`${ours ?? ''} is disabled.\n`);
      expect(foreign?.code).toBe(1);
      const signIn = async (email: string | undefined, { anon }: typeof mine): Promise<number> =>
        (await anon.post('/auth/v1/token', { email, password: PASSWORD })).status;
      expect([await signIn(ours, mine), await signIn(other, theirs)]).toEqual([401, 200]);
    } finally {
      await service.stop();
      await environment.dispose();
    }
  },
  LIMIT_MS,
);
