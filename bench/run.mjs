// npm run bench [-- scenarios and options]. Measures Service and its peers side by side, and writes bench/results/.
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../scripts/prepare/prepare.mjs';
import { say } from '../scripts/prepare/report.mjs';
import { decideKeeping } from './measuring/load-guard.mjs';
import { stopPrograms } from './measuring/program.mjs';

const { values: options, positionals: scenarios } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    orgs: { type: 'string', default: '8' },
    note: { type: 'string' },
    quick: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: true },
    'keep-despite-load': { type: 'boolean', default: false },
  },
  allowNegative: true,
});

// Before the build and the start of the servers, which are load themselves.
const [load] = loadavg();
const decision = decideKeeping({
  load,
  isWhole: scenarios.length === 0 && !options.quick,
  isWanted: options.keep,
  isDespiteLoad: options['keep-despite-load'],
});
if (decision.reason !== null) say(decision.reason);

await prepare({ redis: 'always', bench: true });
const { startEmbedded } = await import('../dist/src/platform/embedded/index.js');
const { measureAll } = await import('./measuring/measure-all.mjs');
const { writeResults } = await import('./measuring/results.mjs');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(128 + constants.signals[signal])));
}

const dataDir = await mkdtemp(join(tmpdir(), 'service-bench-'));
let servers = null;
try {
  servers = await startEmbedded({
    dataDir,
    postgres: true,
    redis: true,
    log: ({ level, message }) => say(`${level}: ${message}`),
  });
  const results = await measureAll(servers, {
    scenarios,
    load,
    isQuick: options.quick,
    rounds: Number(options.rounds),
    organizations: Number(options.orgs),
    note: options.note,
  });
  await writeResults(results, decision);
} finally {
  await cleanUp();
}

async function cleanUp() {
  await stopPrograms();
  await servers?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
