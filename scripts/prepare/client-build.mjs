import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { runCommand } from './command.mjs';
import { PrepareError, repoRoot, say } from './report.mjs';

const SOURCES = ['client/src/', 'client/package.json', 'client/tsconfig.json', 'client/tsdown.config.mjs'];

/** Bundles the client unless client/dist/ was made of just these sources. */
export async function ensureClientBuild() {
  await ensureBuilt(new URL('client/dist/.stamp', repoRoot), [...SOURCES, 'package-lock.json'], async () => {
    say('Building the client …');
    const program = fileURLToPath(new URL('node_modules/tsdown/dist/run.mjs', repoRoot));
    const cwd = fileURLToPath(new URL('client/', repoRoot));
    const { ok, output } = await runCommand(process.execPath, [program], { cwd, quiet: true });
    if (!ok) throw new PrepareError(`The build of the client failed:\n${output}`);
  });
}
