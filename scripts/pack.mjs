// npm run pack -- FOLDER. Makes the packages of the server, of servicectl and of the client, for other machines.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageClient, stageCommand, stageServer } from './pack/stages.mjs';
import { ensureClientBuild } from './prepare/client-build.mjs';
import { runNpm } from './prepare/npm.mjs';
import { prepare } from './prepare/prepare.mjs';
import { repoRoot, say } from './prepare/report.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  say('Name the folder for the packages: npm run pack -- FOLDER');
  process.exit(2);
}
const destination = resolve(process.env.INIT_CWD ?? fileURLToPath(repoRoot), folder);
// Others may be running what is in dist/ and servicectl/dist/: the packages are put together elsewhere.
const work = mkdtempSync(join(tmpdir(), 'service-pack-'));
try {
  await prepare();
  await ensureClientBuild();
  mkdirSync(destination, { recursive: true });
  for (const stage of [stageServer, stageCommand, stageClient]) {
    const place = join(work, stage.name);
    mkdirSync(place);
    await stage(place);
    const args = ['pack', place, '--ignore-scripts', '--silent', '--pack-destination', destination];
    const { ok, output } = await runNpm(args, { quiet: true });
    if (!ok) throw new Error(`npm pack failed:\n${output}`);
    say(join(destination, output.trim()));
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
