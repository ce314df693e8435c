import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, PASSWORD, signUp, signUpOwner } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';
import { runCli, runSeveral } from './run-cli.js';
import type { CommandOutcome } from './run-cli.js';

/** Each command is a process that starts, on machines that may be busy. */
const LIMIT_MS = 120_000;

/** Between the calls that go on while a command works. */
const PAUSE_MS = 50;

describe('the command line beside a running program', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceProcess.start(environment.variables);
    url = service.url ?? '';
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  const run = (...args: string[]): Promise<CommandOutcome> => runCli(args, environment.variables);

  /** Command lines without spaces within their words. */
  async function outcomesOf(...lines: string[]): Promise<CommandOutcome[]> {
    return await runSeveral(
      lines.map((line) => line.split(' ')),
      environment.variables,
    );
  }

  it(
    'tells wrong usage from a faulty configuration',
    async () => {
      const help = await run('--help');
      expect([help.code, help.stderr]).toEqual([0, '']);
      const wrong = await run('keys', 'turn');
      expect([wrong.code, wrong.stdout]).toEqual([2, '']);
      expect(wrong.stderr).toContain("unknown command 'turn'");
      const faulty = await runCli(['migrate'], { ...environment.variables, SERVICE_SERVER__PORT: 'x' });
      expect([faulty.code, faulty.stdout]).toEqual([78, '']);
      expect(faulty.stderr).toContain('server.port');
    },
    LIMIT_MS,
  );

  it(
    'says what is wrong when the database does not answer, without its password',
    async () => {
      const outcome = await runCli(['migrate'], {
        ...environment.variables,
        SERVICE_DATABASE__URL: 'postgres://service:very-secret@127.0.0.1:1/service',
      });
      expect([outcome.code, outcome.stdout]).toEqual([1, '']);
      expect(outcome.stderr).toMatch(/^error: .*ECONNREFUSED/);
      expect(outcome.stderr).not.toContain('very-secret');
    },
    LIMIT_MS,
  );

  it(
    'rotates the signing keys that the program publishes',
    async () => {
      const [rotated, listed] = await outcomesOf('keys rotate --json', 'keys list');
      expect(rotated?.code).toBe(0);
      const { active, next } = JSON.parse(rotated?.stdout ?? '') as {
        active: { kid: string };
        next: { kid: string };
      };
      await until(async () => {
        const { body } = await new Client(url).get<{ keys: { kid: string; alg: string }[] }>('/auth/v1/keys');
        const signing = body.keys.filter(({ alg }) => alg === 'RS256');
        return signing.map(({ kid }) => kid).join() === `${active.kid},${next.kid}`;
      }, 1_000);
      expect(listed?.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
        ['KID', 'STATE'],
        [next.kid, 'next'],
        [active.kid, 'active'],
        [''],
      ]);

      const { accessToken } = await signUp(url);
      expect((await run('keys', 'rotate', '--immediate')).stdout).toContain(`${next.kid} signs now`);
      await until(
        async () => (await new Client(url).as(accessToken).get('/auth/v1/orgs')).status === 401,
        PROMPTLY_MS,
      );
    },
    LIMIT_MS,
  );

  it(
    'disables and enables a user by address or id, in the database',
    async () => {
      const user = await signUp(url);
      const credentials = { email: user.email, password: PASSWORD };
      const disabled = await run('users', 'disable', '--database', user.email.toUpperCase(), '--json');
      expect([disabled.code, JSON.parse(disabled.stdout)]).toEqual([
        0,
        { id: user.userId, email: user.email, disabled: true, disabled_at: expect.any(String) },
      ]);
      await until(async () => (await user.client.get('/auth/v1/orgs')).status === 401, PROMPTLY_MS);
      const [enabled, ...unknown] = await outcomesOf(
        `users enable --database ${user.userId}`,
        'users disable --database nobody@example.com',
        'users disable --database nonsense',
        'users disable --database 01890000-0000-7000-8000-000000000000',
      );
      expect(enabled?.stdout).toBe(`${user.email} is enabled.\n`);
      expect(unknown.map(({ code, stdout }) => [code, stdout])).toEqual([
        [1, ''],
        [1, ''],
        [1, ''],
      ]);
      expect((await new Client(url).post('/auth/v1/token?grant_type=password', credentials)).status).toBe(
        200,
      );
    },
    LIMIT_MS,
  );

  it(
    'verifies the audit trail, all of it or one chain, and fails when it was tampered with',
    async () => {
      const owner = await signUpOwner(url);
      const [whole, two, unknown] = await outcomesOf(
        'audit verify --json',
        `audit verify --org ${owner.slug} --user ${owner.userId}`,
        'audit verify --org nowhere',
      );
      expect([whole?.code, JSON.parse(whole?.stdout ?? '')]).toEqual([
        0,
        expect.objectContaining({ ok: true, broken: [] }),
      ]);
      expect([two?.code, two?.stdout]).toEqual([0, '3 entries in 2 chains: all hold\n']);
      expect([unknown?.code, unknown?.stdout]).toEqual([1, '']);
      const anchor = await run('audit', 'anchor');
      const folder = await mkdtemp(join(tmpdir(), 'service-anchor-'));
      const file = join(folder, 'heads.ndjson');
      await writeFile(file, anchor.stdout);
      const removed = await signUp(url);
      const later = join(folder, 'later.ndjson');
      await writeFile(later, (await run('audit', 'anchor')).stdout);

      await environment.database.query('ALTER TABLE audit_entries DISABLE TRIGGER ALL');
      await environment.database.query(
        `UPDATE audit_entries SET ip = '10.0.0.1' WHERE org_id = $1 AND position = 1`,
        [owner.orgId],
      );
      await environment.database.query('ALTER TABLE audit_entries ENABLE TRIGGER ALL');
      const [broken, untouched] = await outcomesOf(
        'audit verify --json',
        `audit verify --user ${owner.userId} --json`,
      );
      expect([broken?.code, JSON.parse(broken?.stdout ?? '')]).toEqual([
        1,
        expect.objectContaining({
          ok: false,
          broken: [
            {
              chain: `org:${owner.orgId}`,
              position: 1,
              entry_id: expect.any(String),
              problem: 'altered_columns',
            },
          ],
        }),
      ]);
      expect([untouched?.code, JSON.parse(untouched?.stdout ?? '')]).toEqual([
        0,
        { ok: true, chains: 1, entries: 2, broken: [] },
      ]);

      // A whole chain: nothing in the database is left to tell of it.
      const gone = `user:${removed.userId}`;
      for (const table of ['audit_entries', 'audit_chains'])
        await environment.database.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
      await environment.database.query('DELETE FROM audit_entries WHERE chain_id = $1', [gone]);
      await environment.database.query('DELETE FROM audit_chains WHERE id = $1', [gone]);
      for (const table of ['audit_entries', 'audit_chains'])
        await environment.database.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
      const [unnoticed, since, before, missing] = await outcomesOf(
        `audit verify --user ${removed.userId}`,
        `audit verify --user ${removed.userId} --anchor ${later}`,
        `audit verify --user ${owner.userId} --anchor ${file}`,
        `audit verify --anchor ${folder}/nothing`,
      );
      expect([unnoticed?.code, before?.code]).toEqual([0, 0]);
      expect([since?.code, since?.stdout]).toEqual([
        1,
        expect.stringContaining(`${gone} at position 2: the whole chain is missing`),
      ]);
      expect([missing?.code, missing?.stderr]).toEqual([1, expect.stringContaining('cannot be read')]);
      await rm(folder, { recursive: true });
    },
    LIMIT_MS,
  );

  it(
    'finds nothing to migrate where the program runs, and demands it elsewhere',
    async () => {
      expect((await run('migrate')).stdout).toBe('The database is up to date.\n');
      const bare = `${environment.database.url}_bare`;
      const name = new URL(bare).pathname.slice(1);
      await environment.database.query(`CREATE DATABASE ${name}`);
      try {
        const variables = { ...environment.variables, SERVICE_DATABASE__URL: bare };
        const [refused, migrated, listed] = await runSeveral(
          [
            ['keys', 'list'],
            ['migrate', '--json'],
            ['keys', 'list', '--json'],
          ],
          variables,
        );
        expect([refused?.code, refused?.stderr]).toEqual([
          1,
          expect.stringContaining('run: servicectl migrate'),
        ]);
        const { migrations } = JSON.parse(migrated?.stdout ?? '') as { migrations: string[] };
        expect(migrations).not.toEqual([]);
        expect(listed?.stdout).toBe('[]\n');
      } finally {
        await environment.database.query(`DROP DATABASE ${name} WITH (FORCE)`);
      }
    },
    LIMIT_MS,
  );

  it(
    'proposes a time cost for this machine',
    async () => {
      const { code, stdout } = await run('calibrate', '--target-ms', '50', '--json');
      expect(code).toBe(0);
      const proposed = JSON.parse(stdout) as Record<string, number>;
      expect(proposed).toMatchObject({ argon2_memory_kib: 8192, argon2_parallelism: 1, target_ms: 50 });
      expect(proposed.argon2_time_cost).toBeGreaterThanOrEqual(1);
    },
    LIMIT_MS,
  );
});

describe('changing the data key', () => {
  it(
    'rewrites every sealed value while the program serves, after which the old key is needed no more',
    async () => {
      const environment = await createEnvironment();
      const oldKey = environment.variables.SERVICE_IDENTITY__DATA_KEY ?? '';
      const newKey = randomBytes(32).toString('base64');
      const both = {
        ...environment.variables,
        SERVICE_IDENTITY__DATA_KEY: newKey,
        SERVICE_IDENTITY__DATA_KEY_PREVIOUS: oldKey,
      };
      const onlyNew = { ...environment.variables, SERVICE_IDENTITY__DATA_KEY: newKey };
      let service = await ServiceProcess.start(environment.variables);
      try {
        const user = await signUp(service.url ?? '');
        await service.stop();
        // Without the old key nothing opens yet.
        const tooEarly = ServiceProcess.spawn(onlyNew);
        expect(await tooEarly.exit()).toBe(1);
        expect(tooEarly.log).toContain('data_key');
        const unreadable = await runCli(['rekey'], onlyNew);
        expect([unreadable.code, unreadable.stderr]).toEqual([
          1,
          expect.stringContaining('data_key_previous'),
        ]);

        service = await ServiceProcess.start(both);
        const anonymous = new Client(service.url ?? '');
        const credentials = { email: user.email, password: PASSWORD };
        const done = new AbortController();
        const statuses = new Set<number>();
        const serving = (async () => {
          while (!done.signal.aborted) {
            const answer = await anonymous.post<{ access_token: string }>(
              '/auth/v1/token?grant_type=password',
              credentials,
            );
            statuses.add(answer.status);
            statuses.add((await anonymous.as(answer.body.access_token).get('/auth/v1/user')).status);
            // Leaves the command its share of the machine.
            await wait(PAUSE_MS);
          }
        })();
        const [rekeyed, again] = await runSeveral([['rekey', '--json'], ['rekey']], both);
        done.abort();
        await serving;
        expect([...statuses]).toEqual([200]);
        expect([rekeyed?.code, JSON.parse(rekeyed?.stdout ?? '')]).toEqual([
          0,
          {
            // The key, and its companion for run tokens.
            rewritten: 2,
            audit_chains: expect.any(Number),
            columns: expect.arrayContaining([
              {
                table: 'signing_keys',
                column: 'sealed_private_key',
                rewritten: 1,
                unreadable: 0,
                remaining: 0,
              },
            ]),
          },
        ]);
        expect(again?.stdout).toMatch(/^signing_keys\.sealed_private_key: 0 rewritten$/m);
        expect((await runCli(['audit', 'verify'], onlyNew)).stdout).toContain('all hold');

        await service.stop();
        service = await ServiceProcess.start(onlyNew);
        const signedIn = await new Client(service.url ?? '').post(
          '/auth/v1/token?grant_type=password',
          credentials,
        );
        expect(signedIn.status).toBe(200);
      } finally {
        await service.stop();
        await environment.dispose();
      }
    },
    LIMIT_MS,
  );
});
