import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runNpm } from './npm.mjs';
import { PrepareError, repoRoot, requireWritable, say, underNodeOptions } from './report.mjs';

/**
 * Installs the dependencies unless node_modules is what package-lock.json says, for this Node.js and machine.
 * @param {URL} folder of the package, with a slash at its end
 */
export async function ensureDependencies(folder = repoRoot) {
  const stampFile = new URL('node_modules/.prepare-stamp', folder);
  const lock = readFileSync(new URL('package-lock.json', folder), 'utf8');
  const machine = `${process.versions.modules}-${process.platform}-${process.arch}`;
  const stamp = `${machine} ${createHash('sha256').update(lock).digest('hex')}`;
  const found = readOrNull(stampFile);
  if (found === stamp) return;
  // Compiled add-ons fit one machine only; without a stamp npm's word is taken.
  const isForThisMachine = found === null || found.startsWith(`${machine} `);
  if (!isForThisMachine || !isInstalled(folder, JSON.parse(lock))) await install(folder);
  writeFileSync(stampFile, stamp);
}

/**
 * Not `npm ci`: it refuses a lock file that lacks an optional package, and one written where the registry does
 * not carry the packages of other systems lacks them. Starting from nothing, and saving nothing, this is as exact
 * in what the lock file names.
 */
async function install(folder) {
  requireWritable('its dependencies have to be installed', folder);
  say('Installing the dependencies (npm install --no-save) …');
  rmSync(new URL('node_modules/', folder), { recursive: true, force: true });
  // The compiler is a development dependency.
  const { ok } = await runNpm(
    ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: fileURLToPath(folder), waitsFor: 'installing the dependencies' },
  );
  if (!ok) throw new PrepareError(`npm install failed; its output is above.${underNodeOptions()}`);
}

/**
 * Whether npm itself installed just what the lock file lists; what is optional may be for another machine. npm notes
 * a package even if it should only change the lock file.
 */
function isInstalled(folder, lock) {
  const hidden = readOrNull(new URL('node_modules/.package-lock.json', folder));
  if (hidden === null) return false;
  const installed = JSON.parse(hidden).packages;
  const wanted = Object.entries(lock.packages).filter(([path]) => path !== '');
  return (
    wanted.every(([path, entry]) =>
      installed[path] === undefined
        ? entry.optional === true
        : installed[path].version === entry.version && existsSync(new URL(path, folder)),
    ) && Object.keys(installed).every((path) => lock.packages[path] !== undefined)
  );
}

function readOrNull(url) {
  try {
    return readFileSync(url, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return null;
  }
}
