import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { VERSION } from '../../../../servicectl/src/version.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const LIMIT_MS = 120_000;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** npm as the tests were started by, which asks no registry. */
async function npm(cwd: string, args: readonly string[], variables = {}): Promise<Outcome> {
  const { npm_execpath: program } = process.env;
  if (program === undefined) throw new Error('run the tests with npm test');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_offline: 'true', ...variables };
  const running = run(process.execPath, [program, '--loglevel=error', ...args], { cwd, env });
  running.child.stdin?.end();
  return await running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as Outcome,
  );
}

describe('the package servicectl', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'servicectl-package-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'is what npx servicectl runs in every folder of a checkout, and its hints can be copied',
    async () => {
      for (const path of ['.', 'docs/decisions', 'examples/hello']) {
        const shown = await npm(join(ROOT, path), ['exec', '--no', '--', 'servicectl', '--version']);
        expect([path, shown.code, shown.stdout]).toEqual([path, 0, `servicectl ${VERSION}\n`]);
      }
      const nobody = await npm(ROOT, ['exec', '--no', '--', 'servicectl', 'jobs'], {
        SERVICE_CLI_CONFIG: folder,
      });
      expect([nobody.code, nobody.stderr]).toEqual([4, expect.stringContaining('Run: npx servicectl login')]);
    },
    LIMIT_MS,
  );

  it(
    'installs without dependencies on another machine, runs the commands of users and refuses those of operators',
    async () => {
      const packed = await npm(join(ROOT, 'servicectl'), ['pack', '--pack-destination', folder]);
      expect(packed).toMatchObject({ code: 0 });
      const archive = `servicectl-${VERSION}.tgz`;
      expect(await readdir(folder)).toContain(archive);
      const project = await mkdtemp(join(folder, 'project-'));
      const installed = await npm(project, ['install', '--no-audit', '--no-fund', join(folder, archive)]);
      expect(installed).toMatchObject({ code: 0 });
      expect((await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
        'servicectl',
      ]);

      const own = (...args: string[]): Promise<Outcome> =>
        npm(project, ['exec', '--no', '--', 'servicectl', ...args], { SERVICE_CLI_CONFIG: folder });
      expect((await own('--version')).stdout).toBe(`servicectl ${VERSION}\n`);
      const unreachable = await own(
        'login',
        '--url',
        'http://127.0.0.1:1',
        '--email',
        'a@b.c',
        '--password-stdin',
      );
      expect([unreachable.code, unreachable.stderr]).toEqual([
        5,
        expect.stringContaining('http://127.0.0.1:1'),
      ]);
      const refused = await own('keys', 'rotate', '--immediate');
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain('Run it where the program is installed');
      expect((await own('--help')).stdout).not.toContain('operator');
    },
    LIMIT_MS,
  );
});
