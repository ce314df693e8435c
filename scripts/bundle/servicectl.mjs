// npm pack in servicectl/: joins the users' commands with all that they load, for a package without dependencies.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from '../prepare/build.mjs';
import { bundle } from './bundling.mjs';
import { licensesOf } from './licenses.mjs';

const repoRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Joins them in a folder, with the licences of what was joined. */
export async function bundleServicectl(outdir) {
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await bundle({
    absWorkingDir: repoRoot,
    entryPoints: [{ in: 'dist/servicectl/src/standalone.js', out: 'servicectl' }],
    outdir,
    chunkNames: '[name]-[hash]',
    metafile: true,
  });
  const packages = Object.keys(metafile.inputs).map(
    (path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
  );
  const folders = new Set(packages.filter((folder) => folder !== undefined));
  writeFileSync(join(outdir, 'LICENSES.txt'), licensesOf(folders));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuild();
  await bundleServicectl(join(repoRoot, 'servicectl/dist'));
}
