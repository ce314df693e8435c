import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../.cache/node-builds/', import.meta.url));

/** Official builds of Node.js that earlier runs have downloaded, for tests that use whatever is available. */
export function nodeBuildsAtHand(): { version: string; node: string }[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .map((version) => ({ version, node: join(FOLDER, version, 'bin/node') }));
}

/** The folder with `bin/node` of an official build, from its package in the registry. */
export function fetchNodeBuild(version: string): string {
  return fetchPackage(`node-${process.platform}-${process.arch}`, version, version);
}

/** The folder of an npm version, such as the one that a release of Node.js includes. */
export function fetchNpm(version: string): string {
  return fetchPackage('npm', version, `npm-${version}`);
}

/** Unpacks a package below `.cache/`, where the next run finds it. */
function fetchPackage(name: string, version: string, folder: string): string {
  const place = join(FOLDER, folder);
  if (existsSync(place)) return place;
  mkdirSync(FOLDER, { recursive: true });
  const work = mkdtempSync(join(FOLDER, 'new-'));
  try {
    const options = { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], options);
    const [archive = ''] = readdirSync(work);
    execFileSync('tar', ['-xzf', archive], options);
    renameSync(join(work, 'package'), place);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return place;
}
