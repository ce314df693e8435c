import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { runCommand } from './command.mjs';
import { PrepareError, repoRoot } from './report.mjs';

const SOURCES = ['scripts/test/packages.mjs', 'package-lock.json'];

/** Writes what suites import in place of packages, unless .cache/test-packages/ was made of just these. */
export async function ensureTestPackages() {
  await ensureBuilt(new URL('.cache/test-packages/.stamp', repoRoot), SOURCES, async () => {
    const program = fileURLToPath(new URL('scripts/test/packages.mjs', repoRoot));
    const { ok, output } = await runCommand(process.execPath, [program], { quiet: true });
    if (!ok) throw new PrepareError(`The packages of the tests could not be loaded:\n${output}`);
  });
}
