// npm test [-- arguments for jest]. All tests share one PostgreSQL and one Redis, made for this run.
// Suites that are named run whichever they are; else TEST_LANE selects them (jest.config.js, docs/testing.md).
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare/prepare.mjs';
import { say } from './prepare/report.mjs';
import { JestRun } from './test/jest-run.mjs';
import { serverFolder } from './test/server-folder.mjs';
import { SharedPrograms } from './test/shared-programs.mjs';

const TEMPLATE = 'service_template';
const SCHEMA = 'service';

const namesSuites = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
// Suites connect with the driver as it is, which would take what is left open from the shell.
for (const name of Object.keys(process.env)) if (/^PG[A-Z]+$/.test(name)) delete process.env[name];

const lane = namesSuites ? 'all' : (process.env.TEST_LANE ?? 'gate');

await prepare({ redis: 'always', test: true, testPrograms: lane !== 'gate' });

const { startEmbedded } = await import('../dist/src/platform/embedded/index.js');
const { default: pg } = await import('pg');
const { migrate } = await import('../dist/src/platform/database/index.js');

let jest = null;
let caught = null;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    caught ??= signal;
    jest?.stop(signal);
  });
}
// Nobody reads on, as when `head` has seen enough.
process.stderr.on('error', () => {
  caught ??= 'SIGPIPE';
  jest?.stop('SIGTERM');
});

const dataDir = await mkdtemp(join(await serverFolder(lane), 'service-test-'));
/** Where the tests leave the logs of their programs, and the secrets that no log may hold. */
const journal = join(dataDir, 'journal');
let servers = null;
let programs = null;
try {
  await mkdir(journal);
  servers = await startEmbedded({
    dataDir,
    postgres: true,
    redis: true,
    log: ({ level, message }) => say(`${level}: ${message}`),
  });
  const { postgresUrl, redisUrl } = servers;
  await prepareServer(postgresUrl);
  await makeTemplate(postgresUrl);
  const createDatabase = (name) => execute(postgresUrl, name, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  programs = new SharedPrograms({ redisUrl, createDatabase, folder: dataDir, journal });
  jest = new JestRun(dataDir, {
    TEST_LANE: lane,
    TEST_POSTGRES_URL: postgresUrl,
    TEST_REDIS_URL: redisUrl,
    TEST_PROGRAMS: await programs.listen(),
    TEST_JOURNAL: journal,
  });
  if (caught === null) process.exitCode = await jest.run(process.argv.slice(2));
} finally {
  await programs?.stop();
  await servers?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
if (caught !== null) process.exitCode = 128 + constants.signals[caught];

/**
 * What the gate writes need not outlive the machine, and its databases live for seconds; the slow lane has durable servers, as
 * the doctor demands.
 * Statements of tests, unlike those of the program, find its tables by their mere names, and make their own in public.
 */
async function prepareServer(postgresUrl) {
  const unneeded = lane === 'gate' ? ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'] : [];
  const settings = [
    ...unneeded.map((name) => `${name} TO off`),
    `search_path TO public, ${SCHEMA}`,
    'scram_iterations TO 1',
    // A test reads what the program has written there, while others end with checkpoints.
    "wal_keep_size TO '512MB'",
  ];
  for (const setting of settings) await execute(postgresUrl, 'postgres', `ALTER SYSTEM SET ${setting}`);
  await execute(postgresUrl, 'postgres', 'SELECT pg_reload_conf()');
  // Suites connect some thousand times, and each time both sides would hash 4,096 times.
  const { password } = new URL(postgresUrl);
  await execute(postgresUrl, 'postgres', `ALTER ROLE CURRENT_USER PASSWORD '${password}'`);
}

/** A migrated database from which each suite clones its own (test/support/database.ts). */
async function makeTemplate(postgresUrl) {
  const url = await execute(postgresUrl, TEMPLATE, `CREATE DATABASE ${TEMPLATE}`);
  await migrate({ url, schema: SCHEMA });
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
