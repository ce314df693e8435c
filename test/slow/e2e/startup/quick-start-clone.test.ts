import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../../../support/documents/markdown.js';
import { copyRepository, REPOSITORY } from '../../support/machines/repository-copy.js';
import { until } from '../../../support/until.js';

/** The program and the console are built in it. */
const BUILT_WITHIN_MS = 8 * 60_000;

/** The commands of a document that make files or folders in the clone. */
function writingCommands(): string[] {
  const blocks = blocksOf('docs/quick-start.md').filter(({ language }) => language === 'sh');
  return blocks.flatMap(({ text }) => [
    ...(text.match(/^mkdir .*$/gm) ?? []),
    ...(text.match(/^cat > \S+ <<'EOF'\n[\s\S]*?\nEOF$/gm) ?? []),
  ]);
}

describe('a clone in which the quick start was followed', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'service-clone-')));
    copyRepository(folder);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  function git(...words: string[]): string {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    return execFileSync('git', [...identity, ...words], { cwd: folder, encoding: 'utf8' });
  }

  it(
    'has nothing that git does not know',
    async () => {
      git('init', '--quiet');
      git('add', '--all');
      git('commit', '--quiet', '--message', 'A clone');
      // Links to files, since a link to the folder is none for .gitignore.
      for (const modules of ['node_modules', 'client/node_modules', 'console/node_modules'])
        execFileSync('cp', ['-al', join(REPOSITORY, modules), modules], { cwd: folder });
      const commands = writingCommands();
      expect(commands.length).toBeGreaterThanOrEqual(3);
      for (const command of commands) execFileSync('bash', ['-c', command], { cwd: folder });
      const { PATH = '', HOME = '' } = process.env;
      const child = spawn('npm', ['start'], {
        cwd: folder,
        env: {
          PATH,
          HOME,
          SERVICE_SERVER__PORT: '0',
          SERVICE_FUNCTIONS__DIR: 'quick-start/functions',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
      const ended = once(child, 'exit');
      try {
        const hasStarted = (): boolean => /http:\/\/127\.0\.0\.1:\d+/.test(output);
        await until(
          () => hasStarted() || child.exitCode !== null,
          BUILT_WITHIN_MS,
          () => output,
        );
        expect([hasStarted(), output]).toEqual([true, output]);
        expect(git('status', '--porcelain')).toBe('');
      } finally {
        if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM');
        await ended;
      }
      expect(git('status', '--porcelain')).toBe('');
    },
    BUILT_WITHIN_MS + 120_000,
  );
});
