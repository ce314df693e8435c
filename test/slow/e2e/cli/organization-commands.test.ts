import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addMember } from '../../../support/api-keys.js';
import { PASSWORD, signUpOwner } from '../../../support/client.js';
import type { RunBody, SignedUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { endedRun, registerJobs } from '../../../support/runs.js';
import { recordSecret } from '../../../support/secrets/secret-journal.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { runCli } from './run-cli.js';
import type { CommandOutcome } from './run-cli.js';
import { typeCommand } from './screen.js';

/** Each command is a process that starts, on machines that may be busy. */
const LIMIT_MS = 120_000;
const LAUNCHER = fileURLToPath(new URL('../../../../servicectl/servicectl.mjs', import.meta.url));
const RED = '\u001B[31m';

describe('the command line in an organization', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let url: string;
  let owner: SignedUp & { orgId: string; slug: string };
  let folder: string;
  let variables: Record<string, string>;

  const run = (...args: string[]): Promise<CommandOutcome> => runCli(args, variables);

  async function json<Value>(...args: string[]): Promise<Value> {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect([args, code, stderr]).toEqual([args, 0, '']);
    return JSON.parse(stdout) as Value;
  }

  beforeAll(async () => {
    environment = await createEnvironment();
    await environment.deploy(
      'echo',
      `export default async (request) => {
        const { lines = 0, wrong = false } = await request.json();
        for (let n = 1; n <= lines; n += 1) console.log('line ' + n);
        return wrong ? Response.json({ error: 'wrong' }, { status: 422 }) : Response.json({});
      };`,
    );
    service = await ServiceProcess.start(environment.variables);
    url = service.url ?? '';
    owner = await signUpOwner(url);
    await registerJobs(owner.client, { echo: {}, 'daily-echo': { handler: 'echo' } });
    folder = await mkdtemp(join(tmpdir(), 'servicectl-organization-'));
    variables = { SERVICE_CLI_CONFIG: folder };
    const login = ['login', '--url', url, '--email', owner.email, '--password-stdin'];
    expect((await runCli(login, variables, PASSWORD)).code).toBe(0);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'says who is signed in, where, and what they may do, by a login and by an API key',
    async () => {
      const shown = await run('whoami');
      expect(shown.stdout.split('\n').map((line) => line.trim())).toEqual([
        `User          ${owner.email}`,
        'Verified      no',
        `Server        ${url}`,
        expect.stringContaining(`Organization  ${owner.slug} (`),
        'Role          owner',
        'Permissions   *',
        '',
      ]);
      const key = await run('api-keys', 'create', 'whoami', 'jobs:jobs:read', 'jobs:jobs:write');
      recordSecret(key.stdout.trim());
      const ci = { SERVICE_URL: url, SERVICE_API_KEY: key.stdout.trim() };
      const byKey = await runCli(['whoami', '--json'], ci);
      expect(JSON.parse(byKey.stdout)).toMatchObject({
        user: null,
        api_key: key.stdout.slice(0, 12),
        org: { slug: owner.slug },
        permissions: ['jobs:jobs:read', 'jobs:jobs:write'],
      });
      expect(byKey.stdout).not.toContain(key.stdout.trim());
      const nobody = await runCli(['whoami'], {
        SERVICE_CLI_CONFIG: join(folder, 'nobody'),
        SERVICE_URL: url,
      });
      expect(nobody.code).toBe(4);
    },
    LIMIT_MS,
  );

  it(
    'lists members, gives them roles, and removes them, by address or id',
    async () => {
      const grace = await addMember(url, environment.database, owner.orgId, ['data:orders:read']);
      const listed = await json<{ email: string; role: string }[]>('members');
      expect(listed.map(({ email, role }) => [email, role]).sort()).toEqual(
        [
          [owner.email, 'owner'],
          [grace.email, grace.role],
        ].sort(),
      );
      const promoted = await run('members', 'role', grace.email.toUpperCase(), 'admin');
      expect(promoted.stdout).toBe(`${grace.email} is admin of ${owner.slug} now.\n`);
      const unknown = await run('members', 'role', `x${grace.email}`, 'admin');
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        expect.stringContaining(`Did you mean ${grace.email}?`),
      ]);
      expect((await run('members', 'remove', grace.userId)).code).toBe(2);
      expect((await run('members', 'remove', grace.userId, '--yes')).code).toBe(0);
      expect(await json<unknown[]>('members')).toHaveLength(1);
      expect((await run('members', 'remove', owner.email, '--yes')).stderr).toContain('at least one owner');
    },
    LIMIT_MS,
  );

  it(
    'invites, prints the link alone where no mail was sent, and revokes',
    async () => {
      const invited = await run('invitations', 'create', 'linus@example.com', '--role', 'admin');
      expect(invited.code).toBe(0);
      expect(invited.stdout).toMatch(/^http:\S+token=\S+\n$/);
      recordSecret(/token=(\S+)/.exec(invited.stdout)?.[1] ?? '');
      expect(invited.stderr).toContain('Invited linus@example.com');
      expect((await run('invitations')).stdout).toMatch(/^linus@example\.com +admin +pending /m);
      expect((await run('invitations', 'revoke', 'linus@example.com', '--yes')).code).toBe(0);
      expect(await json<unknown[]>('invitations')).toEqual([expect.objectContaining({ status: 'revoked' })]);
    },
    LIMIT_MS,
  );

  it(
    'makes, changes, shows and deletes roles',
    async () => {
      expect((await run('roles', 'create', 'support', 'data:orders:read')).code).toBe(0);
      await run('roles', 'update', 'support', 'data:orders:read', 'jobs:runs:read');
      const shown = await run('roles', 'show', 'support');
      expect(shown.stdout).toBe(
        'Role         support\nKind         custom\nPermissions  data:orders:read\n             jobs:runs:read\n',
      );
      expect((await run('roles')).stdout).toMatch(/^support +custom +data:orders:read jobs:runs:read$/m);
      expect((await run('roles', 'delete', 'support', '--yes')).code).toBe(0);
      expect((await run('roles', 'show', 'support')).code).toBe(1);
    },
    LIMIT_MS,
  );

  it(
    'makes an API key whose text is all of standard output, and revokes it by name',
    async () => {
      const made = await run('api-keys', 'create', 'ci', 'jobs:jobs:read', '--expires', '90d');
      expect(made.stdout).toMatch(/^svc_\S+\n$/);
      recordSecret(made.stdout.trim());
      expect(made.stderr).toContain('it is not shown again');
      const ci = { SERVICE_URL: url, SERVICE_API_KEY: made.stdout.trim() };
      expect((await runCli(['jobs'], ci)).code).toBe(0);
      const [key] = await json<{ name: string; expires_at: string }[]>('api-keys');
      expect(key?.name).toBe('ci');
      expect(Date.parse(key?.expires_at ?? '') - Date.now()).toBeGreaterThan(89 * 86_400_000);
      expect(
        (await run('api-keys', 'create', 'past', 'jobs:jobs:read', '--expires', '2020-01-01')).code,
      ).toBe(2);
      expect((await run('api-keys', 'revoke', 'ci', '--yes')).code).toBe(0);
      await until(async () => (await runCli(['jobs'], ci)).code === 4, LIMIT_MS);
      expect((await run('api-keys')).stdout).not.toContain(' ci ');
      expect((await run('api-keys', '--all')).stdout).toMatch(/ ci +revoked /);
    },
    LIMIT_MS,
  );

  it(
    'shows the newest lines of a log in the order of time, and the oldest with --limit',
    async () => {
      const { id } = await json<RunBody>('trigger', 'echo', '--payload', '{"lines":120}', '--wait');
      const messages = async (...args: string[]): Promise<string[]> =>
        (await json<{ message: string }[]>('logs', id, ...args)).map(({ message }) => message);
      await until(async () => (await messages('--tail', '200')).length === 123, LIMIT_MS);
      const all = await messages('--tail', '200');
      expect(all[0]).toBe('queued (manual)');
      expect(await messages('--tail', '3')).toEqual(all.slice(-3));
      expect(await messages('--limit', '3')).toEqual(all.slice(0, 3));
      expect(await messages()).toEqual(all.slice(-100));
      const cut = await run('logs', id);
      expect(cut.stderr).toContain('These are the newest 100 lines');
      expect((await run('logs', id, '--tail', '1', '--limit', '1')).code).toBe(2);

      // Of a run that has ended the stream ends too; what the list has shown does not come again.
      const followed = await run('logs', '-f', id, '--tail', '2', '--json');
      expect(
        followed.stdout
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { message: string }).message),
      ).toEqual(all.slice(-2));
    },
    LIMIT_MS,
  );

  it(
    'ends logs -f at Ctrl-C without an error',
    async () => {
      const child = spawn(process.execPath, [LAUNCHER, 'logs', '-f', '--tail', '1'], {
        env: { PATH: process.env.PATH, ...variables },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
      await until(() => stdout.includes('\n'), LIMIT_MS);
      // Another line says that the stream is open.
      const { id } = await json<RunBody>('trigger', 'echo');
      await until(() => stdout.includes(id), LIMIT_MS);
      const closed = once(child, 'close');
      child.kill('SIGINT');
      await closed;
      expect([child.exitCode, stderr]).toEqual([0, '']);
    },
    LIMIT_MS,
  );

  it(
    'triggers a batch from a file of lines or a list, and for an instant, and ends a run with its children',
    async () => {
      const file = join(folder, 'batch.ndjson');
      const keyed = '{"payload":{"n":1},"delay_ms":3600000,"idempotency_key":"cli-batch"}';
      await writeFile(file, `${keyed}\n\n{"delay_ms":3600000}\n`);
      const ids = (await json<RunBody[]>('trigger', 'echo', '--batch', file)).map(({ id }) => id);
      expect(ids).toHaveLength(2);
      await writeFile(file, `[${keyed}]`);
      expect((await json<RunBody[]>('trigger', 'echo', '--batch', file)).map(({ id }) => id)).toEqual([
        ids[0],
      ]);
      await writeFile(file, '{"payload":');
      expect((await run('trigger', 'echo', '--batch', file)).code).toBe(2);
      expect((await run('trigger', 'echo', '--batch', file, '--delay', '1h')).code).toBe(2);
      const at = new Date(Date.now() + 3_600_000).toISOString();
      const later = await json<RunBody>('trigger', 'echo', '--at', at);
      expect(later.due_at).toBe(at);
      const made = JSON.stringify({ type: 'manual', run_id: later.id });
      await environment.database.query('UPDATE runs SET trigger = $2 WHERE id = $1', [ids[0], made]);
      expect((await json<RunBody[]>('runs', '--parent', later.id)).map(({ id }) => id)).toEqual([ids[0]]);
      expect((await run('runs', 'show', ids[0] ?? '')).stdout).toContain(later.id);
      expect((await run('runs', 'cancel', '--children', '--job', 'echo', '--yes')).code).toBe(2);
      await json('runs', 'cancel', later.id, '--children');
      expect((await json<RunBody>('runs', 'show', ids[0] ?? '')).status).toBe('cancelled');
      await json('runs', 'cancel', ids[1] ?? '');
    },
    LIMIT_MS,
  );

  it(
    'shows when a delayed run is due, in local time, and with --utc in UTC',
    async () => {
      const made = await runCli(['trigger', 'echo', '--delay', '1h'], { ...variables, TZ: 'Asia/Kolkata' });
      const [, id = '', due = ''] =
        /^(run_\S+) queued, due (\S+ \S+) \(in (?:59 min|1 h)/.exec(made.stdout) ?? [];
      const { due_at } = await json<{ due_at: string }>('runs', 'show', id);
      expect(new Date(`${due.replace(' ', 'T')}+05:30`).toISOString()).toBe(
        due_at.replace(/\.\d+Z/, '.000Z'),
      );
      const utc = `${due_at.slice(0, 19).replace('T', ' ')}Z`;
      expect((await run('runs', '--utc', '--status', 'queued')).stdout).toMatch(
        new RegExp(`DUE.*\n${id}.* ${utc}`),
      );
      expect((await run('runs', 'show', id, '--utc')).stdout).toMatch(new RegExp(`^Due +${utc}`, 'm'));
      expect((await run('runs', 'cancel', id)).code).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'proposes the job, command or organization that was probably meant',
    async () => {
      for (const args of [
        ['trigger', 'daily'],
        ['jobs', 'show', 'dayly-echo'],
        ['jobs', 'pause', 'daily-eco'],
      ]) {
        const failed = await run(...args);
        expect([args, failed.code, failed.stderr]).toEqual([
          args,
          1,
          expect.stringContaining('Did you mean daily-echo?'),
        ]);
      }
      const json404 = await run('jobs', 'show', 'nothing-alike', '--json');
      expect(JSON.parse(json404.stderr)).toMatchObject({
        error: { code: 'job_not_found', hint: 'See the jobs: servicectl jobs' },
      });
      const group = await run('jobs', 'puase', 'echo');
      expect([group.code, group.stderr]).toEqual([2, expect.stringContaining('(Did you mean pause?)')]);
      const help = await run('help', 'foo');
      expect([help.code, help.stdout, help.stderr]).toEqual([
        2,
        '',
        expect.stringContaining("error: unknown command 'foo'"),
      ]);
    },
    LIMIT_MS,
  );

  it(
    'paints statuses on a terminal, and nothing with NO_COLOR or in a file',
    async () => {
      const { id } = await json<RunBody>('trigger', 'echo', '--payload', '{"wrong":true}');
      await endedRun(owner.client, id);
      const command = `npx servicectl runs show ${id}`;
      const shown = await typeCommand(command, {}, variables);
      expect(shown.raw).toContain(`${RED}failed`);
      const plain = await typeCommand(command, {}, { ...variables, NO_COLOR: '1' });
      expect(plain.text).toBe(shown.text);
      expect(plain.raw).not.toContain('\u001B[');
      expect((await run('runs', 'show', id)).stdout).not.toContain('\u001B[');
    },
    LIMIT_MS,
  );

  it(
    'completes commands, options and what the server knows, in bash, and never what bash would expand',
    async () => {
      await environment.database.query(`UPDATE users SET email = $2 WHERE id = $1`, [
        (await addMember(url, environment.database, owner.orgId, ['data:orders:read'])).userId,
        '`reboot`@example.com',
      ]);
      const answers: Record<string, string[]> = {};
      for (const line of ['tri', 'trigger da', 'runs --status can', 'members role ', 'deploy exam']) {
        const script = `
          source <('${process.execPath}' '${LAUNCHER}' completion bash)
          source <('${process.execPath}' '${LAUNCHER}' completion bash)
          servicectl() { '${process.execPath}' '${LAUNCHER}' "$@"; }
          compopt() { :; }
          COMP_WORDS=(servicectl ${line.replace(/ $/, " ''")}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
          __servicectl_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
        const child = spawn('bash', ['--noprofile', '--norc', '-c', script], {
          env: { PATH: process.env.PATH, ...variables },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let text = '';
        child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
        await once(child, 'close');
        answers[line] = text.split('\n').filter((word) => word !== '');
      }
      expect(answers).toEqual({
        tri: ['trigger'],
        'trigger da': ['daily-echo'],
        'runs --status can': ['cancelled'],
        'members role ': [owner.email],
        'deploy exam': [],
      });
      for (const [shell, mark] of [
        ['zsh', '#compdef servicectl'],
        ['fish', 'complete -c servicectl'],
      ] as const)
        expect((await run('completion', shell)).stdout).toContain(mark);
      expect((await run('completion', 'tcsh')).code).toBe(2);
    },
    LIMIT_MS,
  );

  it(
    'opens a page of the server in the browser, and prints its address',
    async () => {
      const browser = join(folder, 'xdg-open');
      const opened = join(folder, 'opened');
      await writeFile(browser, `#!/bin/sh\necho "$1" > '${opened}'\n`);
      await chmod(browser, 0o755);
      const shown = await runCli(['open', 'docs'], {
        ...variables,
        PATH: `${folder}:${process.env.PATH ?? ''}`,
      });
      expect([shown.code, shown.stdout]).toEqual([0, `${url}/docs\n`]);
      await until(async () => (await readFile(opened, 'utf8').catch(() => '')) === `${url}/docs\n`);
      expect((await run('open', '--print')).stdout).toBe(`${url}/\n`);
      expect((await runCli(['open'], { ...variables, PATH: '/nowhere' })).stderr).toContain('no browser');
      expect((await run('open', 'nothing')).code).toBe(2);
    },
    LIMIT_MS,
  );
});
