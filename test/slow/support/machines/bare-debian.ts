import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fetchNodeBuild, fetchNpm } from '../../../support/machines/node-build.js';
import { addRegistryAccess } from './registry-access.js';
import { REPOSITORY } from './repository-copy.js';
import { RootSystem, whyNoRootSystem } from './root-system.js';

const CACHED_ROOT = join(REPOSITORY, '.cache/bare-debian');
const RELEASE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Why no fresh Debian can be made here; null where one can. */
export function whyNoBareDebian(): string | null {
  const obstacle = whyNoRootSystem();
  if (obstacle !== null || existsSync(CACHED_ROOT)) return obstacle;
  if (spawnSync('sh', ['-c', 'command -v debootstrap']).status !== 0) return 'there is no debootstrap';
  return existsSync(KEYRING) ? null : `there is no ${KEYRING}`;
}

/** A minimal Debian without compiler and Python, in a folder of its own. */
export function makeBareDebian(): RootSystem {
  const root = mkdtempSync(join(tmpdir(), 'service-bare-debian-'));
  execFileSync('cp', ['-a', `${cachedRoot()}/.`, root]);
  addRegistryAccess(root);
  return new RootSystem(root);
}

/** Made once and kept for the next run. */
function cachedRoot(): string {
  if (existsSync(CACHED_ROOT)) return CACHED_ROOT;
  const work = `${CACHED_ROOT}.${process.pid}`;
  const program = execFileSync('sh', ['-c', 'command -v debootstrap'], { encoding: 'utf8' }).trim();
  // Beside a private copy (scripts/prepare/test-programs.mjs), where it does not look by itself.
  const library = join(dirname(program), '../usr/share/debootstrap');
  try {
    execFileSync(program, ['--variant=minbase', `--keyring=${KEYRING}`, RELEASE, work, MIRROR], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...(existsSync(library) ? { DEBOOTSTRAP_DIR: library } : {}) },
    });
    // Another run may have been faster.
    if (!existsSync(CACHED_ROOT)) execFileSync('mv', ['-T', work, CACHED_ROOT]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return CACHED_ROOT;
}

/** Puts an official build of Node.js there, and the npm that comes with that release. */
export function addNode(system: RootSystem, { node, npm }: { node: string; npm: string }): void {
  cpSync(join(fetchNodeBuild(node), 'bin/node'), join(system.root, 'usr/local/bin/node'));
  cpSync(fetchNpm(npm), join(system.root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(system.root, 'usr/local/bin/npm'));
}
