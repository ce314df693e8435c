import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackFromApt } from './apt-unpack.mjs';
import { repoRoot, say } from './report.mjs';

const POSTGRES_15 = { packages: ['postgresql-15'], folder: '/usr/lib/postgresql/15/bin', isOptional: true };

/**
 * What tests try the examples, the client and the oldest PostgreSQL with; the service itself needs none of it.
 * `folder`: where it is installed, if that is no folder of PATH; `isOptional`: not every distribution has it.
 */
const PROGRAMS = [
  { name: 'nginx', packages: ['nginx'], paths: ['usr/sbin/nginx'] },
  { name: 'caddy', packages: ['caddy'], paths: ['usr/bin/caddy'] },
  { name: 'chromium', packages: ['chromium'], paths: ['usr/lib/chromium/chromium'] },
  { name: 'pgbouncer', packages: ['pgbouncer'], paths: ['usr/sbin/pgbouncer'] },
  { name: 'promtool', packages: ['prometheus'], paths: ['usr/bin/promtool'] },
  { name: 'postgres-15', program: 'postgres', paths: ['usr/lib/postgresql/15/bin/postgres'], ...POSTGRES_15 },
  { name: 'initdb-15', program: 'initdb', paths: ['usr/lib/postgresql/15/bin/initdb'], ...POSTGRES_15 },
];

/** What only `npm run test:exhaustive` tries the program on: other machines. */
const EXHAUSTIVE_PROGRAMS = [
  { name: 'debootstrap', packages: ['debootstrap'], paths: ['usr/sbin/debootstrap'], isOptional: true },
];

/**
 * Sees to it that the programs are there: on PATH, or as private copies under .cache/. Where neither can be, the
 * tests that need them say so.
 * @returns {Promise<string[]>} the folders to put before PATH
 */
export async function ensureTestPrograms() {
  const folders = [await ensurePrograms(PROGRAMS, '.cache/test-programs/')];
  if (process.env.TEST_EXHAUSTIVE !== undefined)
    folders.push(await ensurePrograms(EXHAUSTIVE_PROGRAMS, '.cache/exhaustive-test-programs/'));
  return folders.filter((folder) => folder !== null);
}

/** The folder of the private copies, null when all are on PATH already. */
async function ensurePrograms(programs, path) {
  const copies = fileURLToPath(new URL(path, repoRoot));
  const bin = join(copies, 'bin');
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const missing = programs.filter(
    ({ name, program, folder }) =>
      !folders.some((each) => existsSync(join(each, name))) &&
      !(folder !== undefined && existsSync(join(folder, program))),
  );
  if (missing.length === 0) return null;
  if (missing.every(({ name }) => existsSync(join(bin, name)) || existsSync(join(bin, `${name}.missing`))))
    return bin;
  const names = missing.map(({ name }) => name).join(', ');
  say(`Not on PATH: ${names}. Putting private copies into ${path} (nothing is installed) …`);
  const problem = await unpackFromApt(copies, missing);
  if (problem === null) return bin;
  say(`${problem}\nWithout ${names} some tests fail; install them, and run the tests again.`);
  return null;
}
