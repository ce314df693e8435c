import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { addMember, makeKey } from '../../support/api-keys.js';
import { signUp, signUpOwner } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

const LAUNCHER = fileURLToPath(new URL('../../../servicectl/servicectl.mjs', import.meta.url));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `servicectl` as a process of its own. */
describe('the output of servicectl', () => {
  let program: SharedProgram;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let variables: Record<string, string>;
  let runId: string;

  beforeAll(async () => {
    program = await sharedProgram();
    await program.deploy('take', 'export default () => Response.json({})');
    owner = await signUpOwner(program.url);
    const { client, orgId } = owner;
    await client.post('/jobs/v1/jobs', { jobs: [{ id: 'later', name: 'Later', handler: 'take' }] });
    const response = await fetch(`${program.url}/jobs/v1/jobs/later/trigger`, {
      method: 'POST',
      headers: { ...client.headers, 'content-type': 'application/json' },
      body: '{"payload":{"id":1983516295378495150,"price":1.10},"delay_ms":3600000}',
    });
    ({ id: runId } = (await response.json()) as RunBody);
    const { key } = await makeKey(client, orgId, ['jobs:runs:read', 'auth:*:*']);
    variables = { SERVICE_URL: program.url, SERVICE_API_KEY: key };
  });

  /** @param output a descriptor in place of a pipe */
  async function servicectl(
    args: readonly string[],
    output: number | 'pipe' = 'pipe',
    more: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [LAUNCHER, ...args], {
      env: { PATH, HOME, ...variables, ...more },
      cwd: tmpdir(),
      stdio: ['ignore', output, 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await once(child, 'close');
    return { code: child.exitCode, stdout, stderr };
  }

  it('has the numbers of JSON as they are stored, with and without --json', async () => {
    for (const more of [[], ['--json']]) {
      const { code, stdout, stderr } = await servicectl(['runs', 'show', runId, ...more]);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/"id": ?1983516295378495150,\s*"price": ?1\.10\b/);
    }
  });

  it('has the address of the console, as of the other pages', async () => {
    const open = async (...page: string[]): Promise<string> =>
      (await servicectl(['open', ...page, '--print'])).stdout;
    expect([await open('console'), await open()]).toEqual([`${program.url}/console\n`, `${program.url}/\n`]);
  });

  it('finds a user by every spelling of the address, and by none of another', async () => {
    const local = `ada.${randomBytes(6).toString('hex')}`;
    const email = `${local}@xn--bcher-kva.example`;
    const { userId } = await signUp(program.url, email);
    const metadata = '{"10":0.30000000000000004441,"9":-1E-400}';
    await program.database.query('UPDATE users SET metadata = $2 WHERE id = $1', [userId, metadata]);
    const show = (spelling: string): Promise<Outcome> =>
      servicectl(['users', 'show', spelling, '--json'], 'pipe', { SERVICE_API_KEY: program.adminToken });
    for (const spelling of [
      email,
      `"${local}"@bücher.example`,
      `"a\\d${local.slice(2)}"@BÜCHER.example`,
      ` ${local.toUpperCase()}@Xn--Bcher-Kva.example `,
    ]) {
      const { code, stdout, stderr } = await show(spelling);
      expect([spelling, code, stderr]).toEqual([spelling, 0, '']);
      expect(JSON.parse(stdout)).toMatchObject({ id: userId, email });
      expect(stdout.replaceAll(/\s/g, '')).toContain(`"metadata":${metadata}`);
    }
    expect((await show(`"${local} "@bücher.example`)).stderr).toContain('there is no user with the address');
  });

  it('finds a user by an address with which more than a page of others begin', async () => {
    const email = `${randomBytes(6).toString('hex')}@many.example`;
    const { userId } = await signUp(program.url, email);
    await program.database.query(
      `INSERT INTO users (id, realm_id, email, email_verified, metadata, created_at)
       SELECT gen_random_uuid(), realm_id, email || '.' || to_char(number, 'FM000'), false, '{}', created_at
       FROM users, generate_series(1, 150) number WHERE id = $1`,
      [userId],
    );
    const { code, stdout, stderr } = await servicectl(['users', 'show', email, '--json'], 'pipe', {
      SERVICE_API_KEY: program.adminToken,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ id: userId, email });
  });

  it('says that a removal has revoked the keys of the member', async () => {
    const member = await addMember(program.url, program.database, owner.orgId, ['auth:keys:*']);
    const { id } = await makeKey(member.client, owner.orgId, ['auth:keys:read']);
    const named = ['members', 'remove', member.email, '--revoke-keys'];
    const unsure = await servicectl(named);
    expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const { code, stdout, stderr } = await servicectl([...named, '--yes']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Removed .+ from .+\. The API keys that they made are revoked\.\n$/);
    const revoked = await program.database.query(
      'SELECT FROM api_keys WHERE id = $1 AND revoked_at IS NOT NULL',
      [id],
    );
    expect(revoked).toHaveLength(1);
  });

  it.each([
    ['a result', ['runs', 'list']],
    ['a result as JSON', ['runs', 'list', '--json']],
    ['the help', ['--help']],
  ])('that cannot be written is one sentence and a failure: %s', async (_what, args) => {
    const full = openSync('/dev/full', 'w');
    const { code, stderr } = await servicectl(args, full);
    closeSync(full);
    expect([code, stderr]).toEqual([
      1,
      'error: the output cannot be written: no space is left on the device\n',
    ]);
  });
});
