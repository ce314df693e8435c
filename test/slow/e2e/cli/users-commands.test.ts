import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, PASSWORD, signUpOwner } from '../../../support/client.js';
import type { RunBody, SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { recordSecret } from '../../../support/secrets/secret-journal.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { runCli } from './run-cli.js';
import type { CommandOutcome } from './run-cli.js';
import { typeCommand } from './screen.js';

/** Each command is a process that starts, on machines that may be busy. */
const LIMIT_MS = 120_000;

const LAUNCHER = fileURLToPath(new URL('../../../../servicectl/servicectl.mjs', import.meta.url));

describe('the command line of users', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let url: string;
  let owner: SignedUp & { orgId: string; slug: string };
  let folder: string;
  let variables: Record<string, string>;

  const run = (args: readonly string[], input?: string | Uint8Array): Promise<CommandOutcome> =>
    runCli(args, variables, input);

  async function bundle(name: string, jobs: readonly Record<string, unknown>[]): Promise<string> {
    const path = join(folder, name);
    await mkdir(join(path, 'functions'), { recursive: true });
    await writeFile(join(path, 'functions', 'absent.mjs'), 'export default () => Response.json({});');
    await writeFile(join(path, 'jobs.json'), JSON.stringify({ jobs }));
    return path;
  }

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy(
      'echo',
      `export default async (request) => {
        const body = await request.text();
        console.log('got', body, '\\u001b[2J');
        return JSON.parse(body).wrong ? Response.json({ error: 'wrong' }, { status: 422 }) : new Response(body, {
          headers: { 'Content-Type': 'application/json' },
        });
      };`,
    );
    await environment.deploy('slow', 'export default () => new Promise(() => {});');
    service = await ServiceProcess.start(environment.variables);
    url = service.url ?? '';
    owner = await signUpOwner(url);
    folder = await mkdtemp(join(tmpdir(), 'service-users-'));
    variables = { XDG_CONFIG_HOME: folder };
    const signedIn = await run(
      ['login', '--url', url, '--email', owner.email, '--password-stdin'],
      `${PASSWORD}\n`,
    );
    expect([signedIn.code, signedIn.stdout]).toEqual([
      0,
      `Signed in at ${url} as ${owner.email}, in the organization ${owner.slug}.\n`,
    ]);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'keeps what it knows of a login to its user',
    async () => {
      const home = join(folder, 'servicectl');
      expect((await stat(home)).mode & 0o777).toBe(0o700);
      const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      );
      expect(files).toHaveLength(2);
      for (const file of files)
        expect((await stat(join(file.parentPath, file.name))).mode & 0o777).toBe(0o600);
    },
    LIMIT_MS,
  );

  it(
    'distinguishes a wrong password, a missing login, an unknown organization and an unreachable server',
    async () => {
      const elsewhere = { SERVICE_CLI_CONFIG: join(folder, 'elsewhere') };
      const wrong = await runCli(
        ['login', '--url', url, '--email', owner.email, '--password-stdin', '--json'],
        elsewhere,
        'wrong horse battery',
      );
      expect([wrong.code, wrong.stdout]).toEqual([4, '']);
      expect(JSON.parse(wrong.stderr)).toMatchObject({ error: { code: 'invalid_credentials', status: 401 } });
      const nobody = await runCli(['jobs'], { ...elsewhere, SERVICE_URL: url });
      expect([nobody.code, nobody.stderr]).toEqual([4, expect.stringContaining('Run: servicectl login')]);
      const stranger = await run(['jobs', '--org', 'nowhere']);
      expect([stranger.code, stranger.stdout]).toEqual([4, '']);
      const gone = await runCli(['jobs'], { SERVICE_URL: 'http://127.0.0.1:1', SERVICE_API_KEY: 'svc_x' });
      expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining('http://127.0.0.1:1')]);
      expect((await runCli(['jobs'], { ...elsewhere, SERVICE_API_KEY: 'svc_x' })).code).toBe(2);
      const unseen = await runCli(['login', '--url', url, '--email', owner.email], elsewhere);
      expect([unseen.code, unseen.stderr]).toEqual([2, expect.stringContaining('--password-stdin')]);
    },
    LIMIT_MS,
  );

  it(
    'renews an access token once for all commands that need it, and stays signed in',
    async () => {
      const sessions = join(folder, 'servicectl', 'sessions');
      const file = join(sessions, (await readdir(sessions)).find((name) => name.endsWith('.json')) ?? '');
      const before = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
      await writeFile(file, JSON.stringify({ ...before, renew_at: 0 }));
      const outcomes = await Promise.all([run(['orgs']), run(['jobs']), run(['runs'])]);
      expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ''],
        [0, ''],
        [0, ''],
      ]);
      const after = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
      expect(after.refresh_token).not.toBe(before.refresh_token);
      recordSecret(String(after.refresh_token));
      expect(await readdir(sessions)).toHaveLength(1);
      const events = await environment.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM sessions WHERE user_id = $1 AND revoked_at IS NOT NULL`,
        [owner.userId],
      );
      expect(events[0]?.count).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'deploys only changed jobs, and deletes jobs only with --prune',
    async () => {
      const echo = { id: 'echo', name: 'Echo', handler: 'echo' };
      const first = await bundle('first', [echo, { id: 'slow', name: 'Slow', handler: 'slow' }]);
      const unasked = await run(['deploy', first]);
      expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
      expect((await run(['deploy', first, '--json'])).code).toBe(2);
      const deployed = await run(['deploy', first, '--yes', '--json']);
      expect([deployed.code, JSON.parse(deployed.stdout)]).toEqual([
        0,
        {
          applied: true,
          jobs: [
            { id: 'echo', change: 'created' },
            { id: 'slow', change: 'created' },
          ],
        },
      ]);

      const cron = { type: 'cron', schedule: '0 6 * * *', timezone: 'Europe/Berlin' };
      const second = await bundle('second', [{ ...echo, retries: 2, triggers: [cron] }]);
      const planned = await run(['deploy', second, '--prune', '--dry-run']);
      expect([planned.code, planned.stdout]).toEqual([
        0,
        [
          `${url}, organization ${owner.slug}`,
          '',
          '  ~ echo  update',
          '      retries 0 → 2',
          `      triggers[0] + ${JSON.stringify(cron)}`,
          '  - slow  delete',
          '',
          '1 to update, 1 to delete.',
          '',
        ].join('\n'),
      ]);
      expect((await run(['deploy', second, '--yes'])).stdout).toContain('Deployed: 1 updated.\n');
      expect((await run(['deploy', second])).stdout).toContain('Nothing to change.\n');
      const next = await run(['jobs', 'next', 'echo', '--count', '1', '--utc']);
      expect(next.stdout).toMatch(/^0 6 \* \* \* \(Europe\/Berlin\)\n {2}\d{4}-\d\d-\d\d 0[45]:00:00Z\n$/);
    },
    LIMIT_MS,
  );

  it(
    'says where functions come from when the server lacks one, and what is wrong with a bundle',
    async () => {
      const path = await bundle('third', [
        { id: 'absent', name: 'Absent', handler: 'absent' },
        { id: 'unwritten', name: 'Unwritten', handler: 'unwritten', retries: 1_000 },
      ]);
      const faulty = await run(['deploy', path]);
      expect([faulty.code, faulty.stdout]).toEqual([1, '']);
      expect(faulty.stderr).toContain('jobs[1].retries');
      const lacking = await run([
        'deploy',
        await bundle('third', [
          { id: 'absent', name: 'Absent', handler: 'absent' },
          { id: 'unwritten', name: 'Unwritten', handler: 'unwritten' },
        ]),
      ]);
      expect(lacking.code).toBe(1);
      expect(lacking.stderr).toContain('jobs[0].handler is not a deployed function');
      expect(lacking.stderr).toContain(
        `(functions.dir), and the API carries no files. Put ${join(path, 'functions', 'absent.mjs')}, a function unwritten there`,
      );
      expect((await run(['deploy', join(folder, 'nowhere')])).stderr).toContain('there is no');
      await writeFile(join(path, 'jobs.json'), '{"jobs":');
      expect((await run(['deploy', path])).stderr).toContain('is not JSON');
    },
    LIMIT_MS,
  );

  it(
    'hands a payload to the handler as it was written, and ends as the run does',
    async () => {
      const payload = '{"n": 12345678901234567890, "s": "\u009B2J"}';
      const waited = await run(['trigger', 'echo', '--payload', '-', '--follow'], payload);
      expect([waited.code, waited.stderr]).toEqual([0, '']);
      // Nor does what a handler prints command the terminal.
      expect(waited.stdout).toContain(`got ${payload.replace('\u009B', '\u{FFFD}')} \u{FFFD}[2J`);
      expect(waited.stdout).not.toContain('\u009B');

      const file = join(folder, 'payload.json');
      await writeFile(file, '{"wrong": true}');
      const failed = await run(['trigger', 'echo', '--payload', `@${file}`, '--wait', '--json']);
      expect(failed.code).toBe(3);
      const ended = JSON.parse(failed.stdout) as RunBody;
      expect(ended).toMatchObject({ job_id: 'echo', status: 'failed', payload: { wrong: true } });
      for (const wrong of ['[1]', '{', `@${folder}/absent.json`])
        expect((await run(['trigger', 'echo', '--payload', wrong])).code).toBe(2);

      const shown = await run(['runs', 'show', ended.id]);
      expect(shown.stdout).toMatch(/^Error +handler_fatal: wrong$/m);
      expect(shown.stdout).toMatch(/^1 +failed +422 /m);
      const listed = await run(['runs', '--job', 'echo', '--status', 'failed', '--json']);
      expect((JSON.parse(listed.stdout) as RunBody[]).map(({ id }) => id)).toEqual([ended.id]);
      const logged = await run(['logs', ended.id, '--level', 'error', '--json']);
      expect(JSON.parse(logged.stdout)).toEqual([
        expect.objectContaining({ run_id: ended.id, level: 'error' }),
      ]);
      const again = await run(['runs', 'retry', ended.id, '--json']);
      expect(JSON.parse(again.stdout)).toMatchObject({ retry_of: ended.id });
      const digits = '{"number":12345678901234567890}';
      const other = await run(['runs', 'retry', ended.id, '--payload', '-', '--follow'], digits);
      expect([other.code, other.stderr]).toEqual([0, '']);
      expect(other.stdout).toContain(`got ${digits}`);
      const list = await run(['runs', 'retry', ended.id, '--payload', '[1]']);
      expect([list.code, list.stderr]).toEqual([1, expect.stringContaining('payload must be a JSON object')]);
      expect((await run(['runs', 'retry', ended.id, '--payload', '{'])).code).toBe(2);
      expect((await run(['runs', 'retry', '--job', 'echo', '--payload', '{}'])).code).toBe(2);
      expect((await run(['runs', 'show', 'run_00000000000000000000000000'])).code).toBe(1);
    },
    LIMIT_MS,
  );

  it(
    'tells programs of every failure in JSON, and asks them nothing',
    async () => {
      for (const [args, code, called] of [
        [['secrets', 'get', 'a/b'], 2, 'wrong_usage'],
        [['runs', '--limit', 'many'], 2, 'wrong_usage'],
        [['trigger'], 2, 'wrong_usage'],
        [[], 2, 'wrong_usage'],
        [['runs', '--since', '999999999d'], 2, 'wrong_usage'],
        [['deploy', join(folder, 'nowhere')], 1, 'failed'],
        [['jobs', '--url', 'http://127.0.0.1:1'], 4, 'refused'],
        [['jobs', 'show', '..'], 1, 'invalid_argument'],
      ] as const) {
        const failed = await run([...args, '--json']);
        expect([failed.code, failed.stdout]).toEqual([code, '']);
        expect(JSON.parse(failed.stderr)).toEqual({
          error: expect.objectContaining({ code: called, message: expect.any(String) }),
        });
      }
      for (const command of ['jobs delete echo', 'secrets delete a/b', 'secrets set a/b', 'login']) {
        const screen = await typeCommand(`npx servicectl ${command} --json`, {}, variables);
        expect([screen.code, screen.text]).toEqual([2, expect.stringContaining('--json does not ask')]);
      }
    },
    LIMIT_MS,
  );

  it(
    'leaves a run going at Ctrl-C, and stops it with runs cancel',
    async () => {
      await run(['deploy', await bundle('slow', [{ id: 'slow', name: 'Slow', handler: 'slow' }]), '--yes']);
      const { PATH = '' } = process.env;
      const child = spawn(process.execPath, [LAUNCHER, 'trigger', 'slow', '--follow'], {
        env: { PATH, ...variables },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
      await until(
        () => stdout.includes('attempt 1 started'),
        30_000,
        () => stdout + stderr,
      );
      const closed = once(child, 'close');
      child.kill('SIGINT');
      await closed;
      const id = /^run_\S+/.exec(stdout)?.[0] ?? '';
      expect([child.exitCode, stderr]).toEqual([
        130,
        expect.stringContaining(`servicectl runs cancel ${id}`),
      ]);
      const cancelled = await run(['runs', 'cancel', id]);
      expect(cancelled.code).toBe(0);
      await until(async () => {
        const { body } = await owner.client.get<RunBody>(`/jobs/v1/runs/${id}`);
        return body.status === 'cancelled';
      });
      expect((await run(['jobs', 'pause', 'slow', '--json'])).stdout).toContain('"paused":true');
      expect((await run(['jobs', 'resume', 'slow'])).stdout).toBe('Resumed slow.\n');
      expect((await run(['jobs', 'delete', 'slow', '--yes'])).code).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'reads the value of a secret from standard input, and never shows it',
    async () => {
      recordSecret('a very secret value');
      const set = await run(['secrets', 'set', 'shop/webhook'], 'a very secret value\n');
      expect([set.code, set.stdout]).toEqual([0, 'Set shop/webhook. Jobs name it as vault:shop/webhook\n']);
      expect((await run(['secrets', 'set', 'shop/other'], '\n')).code).toBe(1);
      expect((await run(['secrets', 'set', 'shop/other'], Uint8Array.of(0x61, 0xff))).code).toBe(2);
      const listed = await run(['secrets', '--json']);
      expect((JSON.parse(listed.stdout) as { path: string }[]).map(({ path }) => path)).toEqual([
        'shop/webhook',
      ]);
      expect((await run(['secrets', 'delete', 'shop/webhook'])).code).toBe(2);
      expect((await run(['secrets', 'delete', 'shop/webhook', '--yes'])).code).toBe(0);
      expect((await run(['secrets', 'delete', 'shop/webhook', '--yes'])).code).toBe(1);
    },
    LIMIT_MS,
  );

  it(
    'works by an API key without a login, as far as the key goes',
    async () => {
      const made = await owner.client.post<{ key: string }>(`/auth/v1/orgs/${owner.slug}/api-keys`, {
        name: 'ci',
        permissions: ['jobs:jobs:write', 'jobs:jobs:trigger'],
      });
      const ci = { SERVICE_URL: `${url}/`, SERVICE_API_KEY: made.body.key, HOME: join(folder, 'nobody') };
      const path = await bundle('ci', [{ id: 'echo', name: 'Echo!', handler: 'echo' }]);
      const planned = await runCli(['deploy', path, '--dry-run', '--json'], ci);
      expect([planned.code, JSON.parse(planned.stdout)]).toEqual([
        0,
        { applied: false, jobs: [{ id: 'echo', change: 'updated' }] },
      ]);
      expect((await runCli(['deploy', path, '--yes'], ci)).code).toBe(0);
      expect((await runCli(['trigger', 'echo', '--json'], ci)).code).toBe(0);
      const refused = await runCli(['secrets'], ci);
      expect([refused.code, refused.stdout]).toEqual([4, '']);
      await expect(stat(join(folder, 'nobody'))).rejects.toThrow('ENOENT');
    },
    LIMIT_MS,
  );

  it(
    'acts in the organization that its user chose, until they sign out',
    async () => {
      const made = await run(['orgs', 'create', `${owner.slug}-b`, '--name', 'Another']);
      expect(made.stdout).toBe(`Created ${owner.slug}-b. Commands now act in it.\n`);
      expect((await run(['jobs'])).stdout).toContain('There are no jobs.');
      expect((await run(['jobs', '--org', owner.slug])).stdout).toContain('echo');
      expect((await run(['orgs', 'use', 'nowhere'])).stderr).toContain(`${owner.slug}-b, ${owner.slug}`);
      await run(['orgs', 'use', owner.orgId]);
      const listed = JSON.parse((await run(['orgs', '--json'])).stdout) as {
        slug: string;
        current: boolean;
      }[];
      expect(listed.filter(({ current }) => current).map(({ slug }) => slug)).toEqual([owner.slug]);

      const sessions = join(folder, 'servicectl', 'sessions');
      const file = join(sessions, (await readdir(sessions))[0] ?? '');
      const { refresh_token } = JSON.parse(await readFile(file, 'utf8')) as { refresh_token: string };
      expect((await run(['logout'])).stdout).toBe(`Signed out of ${url}.\n`);
      expect(await readdir(sessions)).toEqual([]);
      const late = await new Client(url).post('/auth/v1/token?grant_type=refresh_token', { refresh_token });
      expect(late.status).toBe(401);
      expect((await run(['jobs'])).code).toBe(4);
    },
    LIMIT_MS,
  );
});
