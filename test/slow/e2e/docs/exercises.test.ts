import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exercises } from '../../../support/documents/exercises.js';
import { copyRepository, REPOSITORY } from '../../support/machines/repository-copy.js';

/** The program and the console are built, and the tests of three exercises run. */
const MADE_WITHIN_MS = 8 * 60_000;

describe('the exercises of docs/adding.md', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'service-exercises-')));
    copyRepository(folder);
    for (const modules of ['node_modules', 'client/node_modules', 'console/node_modules'])
      execFileSync('cp', ['-al', join(REPOSITORY, modules), modules], { cwd: folder });
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'compile together, and pass the tests that they name',
    async () => {
      for (const { patch } of exercises()) execFileSync('git', ['apply', patch], { cwd: folder });
      const suites = exercises().flatMap((exercise) => exercise.suites);
      const { PATH = '', HOME = '' } = process.env;
      const made = promisify(execFile)('npm', ['test', '--', '--maxWorkers=1', ...new Set(suites)], {
        cwd: folder,
        env: { PATH, HOME },
        maxBuffer: Number.POSITIVE_INFINITY,
      });
      const output = await made.then(({ stderr, stdout }) => stdout + stderr, String);
      expect(output).toMatch(/^\d+ passed, 0 failed$/m);
    },
    MADE_WITHIN_MS,
  );
});
