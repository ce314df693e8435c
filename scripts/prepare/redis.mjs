import { readFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackFromApt } from './apt-unpack.mjs';
import { runCommand } from './command.mjs';
import { PrepareError, repoRoot, say } from './report.mjs';

const NAMES = ['redis-server', 'valkey-server'];
const OLDEST_VERSION = [6, 2];
const FROM_APT = {
  name: 'redis-server',
  packages: ['redis-server', 'valkey-server'],
  paths: ['usr/bin/redis-server', 'usr/bin/valkey-server'],
};
const PRIVATE_FOLDER = fileURLToPath(new URL('.cache/redis/', repoRoot));

/** By package manager: how to install it for the whole system, and whether that takes root. */
const SYSTEM_INSTALLS = [
  { manager: 'dnf', args: ['install', '-y', 'redis'], needsRoot: true },
  { manager: 'apk', args: ['add', 'redis'], needsRoot: true },
  { manager: 'brew', args: ['install', 'redis'], needsRoot: false },
];

/** Whether the configuration names a Redis. A look is enough: the program itself reads it properly. */
export function hasOwnRedis() {
  if (process.env.SERVICE_REDIS__URL) return true;
  const path = resolve(fileURLToPath(repoRoot), process.env.SERVICE_CONFIG ?? 'service.toml');
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  const section = /^\s*\[\s*redis\s*\]([^[]*)/m.exec(text)?.[1] ?? '';
  return /^\s*url\s*=/m.test(section) || /^\s*redis(\s*\.\s*url\s*=|\s*=\s*\{.*\burl\s*=)/m.test(text);
}

/**
 * Sees to it that a Redis server can be started: one on PATH, a private copy under .cache/, or one installed
 * with the system's package manager.
 * @returns {Promise<string | null>} the folder to put before PATH, null when it is on PATH already
 */
export async function ensureRedis() {
  for (const name of NAMES) if (await isUsable(name)) return null;
  const bin = `${PRIVATE_FOLDER}bin`;
  if (await isUsable(`${bin}/redis-server`)) return bin;

  if (await exists('apt-get')) {
    say('No Redis on PATH. Unpacking a private copy into .cache/redis (nothing is installed) …');
    const problem = await unpackFromApt(PRIVATE_FOLDER, [FROM_APT]);
    if (problem === null && (await isUsable(`${bin}/redis-server`))) return bin;
    say(problem ?? 'The copy from the packages is not Redis 6.2 or newer, or does not run.');
  }
  for (const { manager, args, needsRoot } of SYSTEM_INSTALLS) {
    if (!(await exists(manager))) continue;
    const command = needsRoot ? await asRoot(manager, args) : [manager, ...args];
    if (command === null) continue;
    say(`No Redis on PATH. Installing it (${command.join(' ')}) …`);
    await runCommand(command[0], command.slice(1), { waitsFor: `running ${command.join(' ')}` });
    for (const name of NAMES) if (await isUsable(name)) return null;
  }
  throw new PrepareError(
    'There is no redis-server or valkey-server (6.2 or newer) on PATH, and this machine offers no package. Install one\n' +
      '(Debian, Ubuntu: apt-get install redis-server; Fedora: dnf install redis; Alpine: apk add redis; macOS:\n' +
      'brew install redis), or name one that you run: redis.url in service.toml, or SERVICE_REDIS__URL.',
  );
}

async function isUsable(file) {
  const { ok, output } = await runCommand(file, ['--version'], { quiet: true });
  const version = /v=(\d+)\.(\d+)/.exec(output);
  if (!ok || version === null) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor >= OLDEST_VERSION[1]);
}

async function exists(program) {
  return (await runCommand(program, ['--version'], { quiet: true })).ok;
}

async function asRoot(program, args) {
  if (process.getuid() === 0) return [program, ...args];
  // -n: never asks for a password.
  const { ok } = await runCommand('sudo', ['-n', 'true'], { quiet: true });
  return ok ? ['sudo', '-n', program, ...args] : null;
}
