import { PASSWORD, Client, signUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { createProjectEnvironment } from '../../../support/project-environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { ConsoleCaller } from '../console/console-caller.js';
import { runCli } from './run-cli.js';
import type { CommandOutcome } from './run-cli.js';

/** Each command is a process that starts, on machines that may be busy. */
const LIMIT_MS = 120_000;

let environment: TestEnvironment;
let service: ServiceProcess;

async function start(made: TestEnvironment): Promise<void> {
  environment = made;
  service = await ServiceProcess.start(environment.variables);
}

afterEach(async () => {
  await service.stop();
  await environment.dispose();
});

const run = (args: readonly string[], input = ''): Promise<CommandOutcome> =>
  runCli([...args, '--json'], environment.variables, input);

const browserAt = (): ConsoleCaller => new ConsoleCaller(service.url ?? '');

test(
  'operators add makes a proven account an operator, and another one only if told so',
  async () => {
    await start(await createEnvironment());
    const user = await signUp(service.url ?? '');
    const refused = await run(['operators', 'add', user.email]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--unverified')]);
    await environment.database.query('UPDATE users SET email_verified = true WHERE id = $1', [user.userId]);
    const added = await run(['operators', 'add', user.email, '--read-only']);
    expect(JSON.parse(added.stdout)).toEqual({
      id: user.userId,
      email: user.email,
      access: 'read_only',
      created: false,
    });
    const listed = await run(['operators', 'list']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: user.userId, access: 'read_only' }]);
    const operator = new Client(service.url ?? '').as(user.accessToken);
    // Until they have met a second factor.
    expect((await operator.get('/admin/v1/orgs')).status).toBe(403);
    expect((await run(['operators', 'remove', user.email])).code).toBe(0);
    expect((await operator.get('/admin/v1/orgs')).status).toBe(404);
    expect((await user.client.get('/auth/v1/user')).status).toBe(200);
    expect((await run(['operators', 'remove', user.email])).stderr).toContain('is not an operator');
    const entries = await environment.database.query(
      `SELECT action, actor_type FROM audit_entries WHERE action LIKE 'operator.%' ORDER BY id`,
    );
    expect(entries).toEqual([
      { action: 'operator.added', actor_type: 'operator' },
      { action: 'operator.removed', actor_type: 'operator' },
    ]);
  },
  LIMIT_MS,
);

test(
  'operators add creates an account with projects, and operators remove deletes it with its sessions',
  async () => {
    await start(await createProjectEnvironment());
    const email = 'ada@example.com';
    const weak = await run(['operators', 'add', email, '--password-stdin'], 'password123\n');
    expect([weak.code, weak.stdout]).toEqual([1, '']);
    const added = await run(['operators', 'add', email, '--password-stdin'], `${PASSWORD}\n`);
    expect(JSON.parse(added.stdout)).toMatchObject({ email, access: 'full', created: true });
    const browser = browserAt();
    const { body } = await browser.post('', { email, password: PASSWORD });
    expect(body.operator).toBe('full');
    const operator = new Client(service.url ?? '').as(body.access_token);
    expect((await operator.get('/admin/v1/projects')).status).toBe(403);
    expect((await run(['operators', 'remove', email])).code).toBe(0);
    expect((await operator.get('/admin/v1/projects')).status).toBe(401);
    expect((await browser.post('/refresh')).status).toBe(401);
    expect((await browser.post('', { email, password: PASSWORD })).status).toBe(401);
  },
  LIMIT_MS,
);
