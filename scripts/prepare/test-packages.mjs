import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { runCommand } from './command.mjs';
import { PrepareError, repoRoot, say } from './report.mjs';

const SOURCES = ['scripts/bundle/', 'package-lock.json'];

/** Joins the packages that tests load, unless .cache/test-packages/ was made of just these. */
export async function ensureTestPackages() {
  await ensureBuilt(new URL('.cache/test-packages/.stamp', repoRoot), SOURCES, async () => {
    say('Bundling the packages for the tests …');
    const program = fileURLToPath(new URL('scripts/bundle/packages.mjs', repoRoot));
    const { ok, output } = await runCommand(process.execPath, [program], { quiet: true });
    if (!ok) throw new PrepareError(`The packages could not be bundled:\n${output}`);
  });
}
