import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { VERSION } from '../../../../servicectl/src/version.js';
import { makeKey } from '../../../support/api-keys.js';
import { PASSWORD, signUp, signUpOwner } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { fetch } from '../../../support/fetch.js';
import { freePort } from '../../../support/free-port.js';
import { registerJobs } from '../../../support/runs.js';
import { until } from '../../../support/until.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** The program of a user of the client, in a folder that has the client and nothing else. */
const USE_CLIENT = `
  import { createClient } from '@service/client';
  const client = createClient({ url: process.argv[2], credential: process.argv[3] });
  const run = await client.jobs.trigger('greet', { name: 'Ada' });
  const ended = await client.runs.wait(run.id);
  console.log(JSON.stringify({ status: ended.status, result: ended.result }));`;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('the packages that npm run pack makes', () => {
  let environment: TestEnvironment;
  let folder: string;
  let variables: Record<string, string>;
  let server: ChildProcess;
  let log = '';
  let url: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    folder = await mkdtemp(join(tmpdir(), 'service-packages-'));
    await npm(ROOT, 'run', 'pack', '--', folder);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    variables = {
      ...environment.variables,
      SERVICE_SERVER__PORT: String(port),
      SERVICE_IDENTITY__PUBLIC_URL: url,
      SERVICE_CLI_CONFIG: join(folder, 'logins'),
      NODE_ENV: 'production',
    };
    await environment.deploy(
      'greet',
      'export default async (request) => Response.json(await request.json());',
    );
    const place = await installed('server', `service-server-${VERSION}.tgz`);
    server = spawn(join(place, 'node_modules/.bin/service-server'), { cwd: place, env: environmentOf() });
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')));
    await until(
      () => log.includes('Service is ready') || server.exitCode !== null,
      120_000,
      () => log,
    );
  });

  afterAll(async () => {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
    await environment.dispose();
  });

  function environmentOf(): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env;
    return { PATH, HOME, ...variables };
  }

  /** An empty folder into which a package was installed from the registry that this machine uses. */
  async function installed(name: string, archive: string): Promise<string> {
    const place = join(folder, name);
    await mkdir(place);
    await writeFile(join(place, 'package.json'), '{ "private": true, "type": "module" }');
    await npm(place, 'install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, archive));
    return place;
  }

  async function execute(file: string, args: readonly string[], cwd: string, input = ''): Promise<Outcome> {
    const running = promisify(execFile)(file, args, { cwd, env: environmentOf() });
    running.child.stdin?.end(input);
    return await running.then(
      (output) => ({ code: 0, ...output }),
      (error: unknown) => error as Outcome,
    );
  }

  async function command(place: string, args: readonly string[], input?: string): Promise<Outcome> {
    return await execute(join(place, 'node_modules/.bin/servicectl'), args, place, input);
  }

  it('start a server on a PostgreSQL and a Redis elsewhere, which is healthy and has its console', async () => {
    expect(log).toContain('Service is ready');
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/console/`)).status).toBe(200);
    expect((await fetch(`${url}/docs/`)).status).toBe(200);
  });

  it('have the commands of operators where the server is installed', async () => {
    const place = join(folder, 'server');
    expect(await command(place, ['--version'])).toMatchObject({ code: 0, stdout: `servicectl ${VERSION}\n` });
    expect(await command(place, ['migrate'])).toMatchObject({
      code: 0,
      stdout: 'The database is up to date.\n',
    });
  });

  it('sign in from an empty folder', async () => {
    const place = await installed('command', `servicectl-${VERSION}.tgz`);
    const { email } = await signUp(url);
    await command(place, ['login', '--url', url, '--email', email, '--password-stdin'], PASSWORD);
    const shown = await command(place, ['whoami']);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(email) });
  });

  it('run a job to its end, by the client and an API key', async () => {
    const { client, slug } = await signUpOwner(url);
    await registerJobs(client, { greet: {} });
    const { key } = await makeKey(client, slug, ['jobs:jobs:trigger', 'jobs:runs:read']);
    const place = await installed('client', `service-client-${VERSION}.tgz`);
    await writeFile(join(place, 'use-client.mjs'), USE_CLIENT);
    const { stdout } = await execute(process.execPath, ['use-client.mjs', url, key], place);
    expect(JSON.parse(stdout)).toEqual({ status: 'completed', result: { name: 'Ada' } });
  });

  it('carry what they need and nothing of a checkout', async () => {
    const archives = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).sort();
    expect(archives).toEqual([
      `service-client-${VERSION}.tgz`,
      `service-server-${VERSION}.tgz`,
      `servicectl-${VERSION}.tgz`,
    ]);
    const place = join(folder, 'server/node_modules/@service/server');
    expect((await readFile(join(place, 'LICENSES.txt'), 'utf8')).split('\n').length).toBeGreaterThan(1000);
    const files = await readdir(place, { recursive: true });
    expect(files.filter((name) => /\.map$|\.stamp$|\.ts$|^src|^test/.test(name))).toEqual([]);
  });

  it('end on SIGTERM with code 0', async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
    expect(server.exitCode).toBe(0);
  });
});

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { npm_execpath: program } = process.env;
  if (program === undefined) throw new Error('run the tests with npm test');
  return (await promisify(execFile)(process.execPath, [program, ...args], { cwd, maxBuffer: 1 << 26 }))
    .stdout;
}
