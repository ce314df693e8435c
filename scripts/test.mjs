// npm test [-- arguments for jest]. All tests share one PostgreSQL and one Redis, made for this run.
// Suites that are named run whichever they are; else TEST_SCOPE selects them (jest.config.js). With TEST_PRISM, Prism stands
// between the tests and the programs that they start, and a response that is not as the document says fails the run.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare/prepare.mjs';
import { repoRoot, say } from './prepare/report.mjs';
import { SharedPrograms } from './test/shared-programs.mjs';

/** A terminal's Ctrl-C reaches jest as well as us; jest gets this long to end by itself. */
const INTERRUPT_GRACE_MS = 3_000;
const TEMPLATE = 'service_template';

const namesSuites = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
const scope = namesSuites ? 'all' : (process.env.TEST_SCOPE ?? 'short');
const hasPrism = process.env.TEST_PRISM !== undefined;

await prepare({ redis: 'always', test: true, testPrograms: scope !== 'short', prism: hasPrism });

const { startEmbedded } = await import('../dist/src/platform/embedded/index.js');
const { default: pg } = await import('pg');
const { migrate } = await import('../dist/src/platform/database/index.js');

let jest = null;
let caught = null;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    caught ??= signal;
    if (signal === 'SIGINT') setTimeout(() => jest?.kill('SIGTERM'), INTERRUPT_GRACE_MS).unref();
    else jest?.kill('SIGTERM');
  });
}

const dataDir = await mkdtemp(join(tmpdir(), 'service-test-'));
/** Where the tests leave the logs of their programs, and the secrets that no log may hold. */
const journal = join(dataDir, 'journal');
let servers = null;
let programs = null;
let prism = null;
try {
  await mkdir(journal);
  servers = await startEmbedded({
    dataDir,
    postgres: true,
    redis: true,
    log: ({ level, message }) => say(`${level}: ${message}`),
  });
  const { postgresUrl, redisUrl } = servers;
  await makeTemplate(postgresUrl);
  const createDatabase = (name) => execute(postgresUrl, name, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  programs = new SharedPrograms({ redisUrl, createDatabase, folder: dataDir, journal });
  prism = await startPrism();
  if (caught === null) process.exitCode = await runJest(servers, await programs.listen());
} finally {
  await endPrism();
  await programs?.stop();
  await servers?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
if (caught !== null) process.exitCode = 128 + constants.signals[caught];

async function startPrism() {
  if (!hasPrism) return null;
  const { PrismBetween } = await import('../test/prism/prism.mjs');
  return await PrismBetween.start();
}

/** A run that judged nothing has not shown anything. */
async function endPrism() {
  if (prism === null) return;
  const { counts, violations } = await prism.stop();
  for (const { violation, ...rest } of violations) say(`\n${violation}\n  ${JSON.stringify(rest)}`);
  say(`Prism: ${violations.length} violations. ${JSON.stringify(counts)}`);
  if (violations.length > 0 || counts.judged === 0) process.exitCode ||= 1;
}

/** A migrated database from which each suite clones its own (test/support/database.ts). */
async function makeTemplate(postgresUrl) {
  await migrate(await execute(postgresUrl, TEMPLATE, `CREATE DATABASE ${TEMPLATE}`));
  await execute(postgresUrl, TEMPLATE, `ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true`);
}

/** @returns the URL of the database that the statement is about */
async function execute(postgresUrl, database, statement) {
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

function runJest({ postgresUrl, redisUrl }, programsUrl) {
  const program = new URL('node_modules/jest/bin/jest.js', repoRoot);
  const nodeOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  return new Promise((resolve, reject) => {
    jest = spawn(process.execPath, [...nodeOptions, fileURLToPath(program), ...process.argv.slice(2)], {
      cwd: fileURLToPath(repoRoot),
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_SCOPE: scope,
        TEST_POSTGRES_URL: postgresUrl,
        TEST_REDIS_URL: redisUrl,
        TEST_PROGRAMS: programsUrl,
        TEST_JOURNAL: journal,
        ...(prism === null ? {} : { TEST_PRISM_URL: prism.url }),
      },
    });
    jest.once('error', reject);
    jest.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
