// npm pack in bin/: joins the users' commands with all that they load, for a package without dependencies.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from '../prepare/build.mjs';
import { bundle } from './bundling.mjs';

const repoRoot = fileURLToPath(new URL('../..', import.meta.url));
const outdir = join(repoRoot, 'bin/dist');

await ensureBuild();
rmSync(outdir, { recursive: true, force: true });
const { metafile } = await bundle({
  absWorkingDir: repoRoot,
  entryPoints: [{ in: 'dist/src/cli/standalone.js', out: 'servicectl' }],
  outdir,
  chunkNames: '[name]-[hash]',
  metafile: true,
});
const packages = Object.keys(metafile.inputs).map(
  (path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
);
const folders = [...new Set(packages)].filter((folder) => folder !== undefined).sort();
writeFileSync(join(outdir, 'LICENSES.txt'), [...new Set(folders.map(licenseOf))].join('\n'));

/** The licences of joined packages ask that their text goes along. */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(repoRoot, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(repoRoot, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(join(repoRoot, folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
