import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { runCommand } from './command.mjs';
import { PrepareError, repoRoot, say } from './report.mjs';

const SOURCES = [
  'console/src/',
  'console/api-reference.ts',
  'console/index.html',
  'console/package.json',
  'console/precompress.ts',
  'console/vite.config.ts',
  'client/src/',
];

/** Builds the console unless console/dist/ was made of just these sources. */
export async function ensureConsoleBuild() {
  await ensureBuilt(new URL('console/dist/.stamp', repoRoot), [...SOURCES, 'package-lock.json'], async () => {
    say('Building the console …');
    const program = fileURLToPath(new URL('node_modules/vite/bin/vite.js', repoRoot));
    const cwd = fileURLToPath(new URL('console/', repoRoot));
    const { ok, output } = await runCommand(process.execPath, [program, 'build'], {
      cwd,
      quiet: true,
      waitsFor: 'building the console',
    });
    if (!ok) throw new PrepareError(`The build of the console failed:\n${output}`);
  });
}
