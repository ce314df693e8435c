import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { runNpm } from './npm.mjs';
import { PrepareError, repoRoot, requireWritable, say, underNodeOptions } from './report.mjs';

const SOURCES = [
  'src/',
  'client/src/',
  'servicectl/src/',
  'migrations/',
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'scripts/bundle/',
  'package-lock.json',
];
/** Compiles unless dist/ was made of just these sources. */
export async function ensureBuild() {
  await ensureBuilt(new URL('dist/.stamp', repoRoot), SOURCES, async () => {
    say('Building (npm run build:program) …');
    const { ok } = await runNpm(['run', 'build:program', '--silent'], { waitsFor: 'building' });
    if (!ok) throw new PrepareError(`The build failed; the compiler’s output is above.${underNodeOptions()}`);
  });
}

/** Builds unless the stamp says that what is there was made of just these sources. */
export async function ensureBuilt(stampFile, sources, build) {
  const stamp = hashOf(sources);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  requireWritable('it has to be built');
  await build();
  writeFileSync(stampFile, stamp);
}

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const source of sources) addToHash(hash, source);
  return hash.digest('hex');
}

function addToHash(hash, path) {
  const url = new URL(path, repoRoot);
  if (!existsSync(url)) return;
  if (statSync(url).isDirectory()) {
    const folder = path.endsWith('/') ? path : `${path}/`;
    for (const name of readdirSync(url).sort()) addToHash(hash, folder + encodeURIComponent(name));
    return;
  }
  const content = readFileSync(url);
  hash.update(`${path}\0${content.length}\0`).update(content);
}
