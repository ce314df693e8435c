import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../.cache/node-builds/', import.meta.url));

/** Official builds of Node.js that earlier runs fetched, for tests that try what is at hand. */
export function nodeBuildsAtHand(): { version: string; node: string }[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .map((version) => ({ version, node: join(FOLDER, version, 'bin/node') }));
}

/** The folder with `bin/node` of an official build, from the registry's package of it. */
export function fetchNodeBuild(version: string): string {
  return fetchPackage(`node-${process.platform}-${process.arch}`, version, version);
}

/** The folder of an npm, such as the one that comes with a release of Node.js. */
export function fetchNpm(version: string): string {
  return fetchPackage('npm', version, `npm-${version}`);
}

/** Unpacks a package under `.cache/`, where it stays for the next run. */
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
