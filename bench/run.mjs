// npm run bench [-- options]. Measures Service and its peers side by side, and writes bench/results/.
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../scripts/prepare/prepare.mjs';
import { say } from '../scripts/prepare/report.mjs';
import { stopPrograms } from './measuring/program.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    note: { type: 'string' },
    quick: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

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
    only: options.only,
    isQuick: options.quick,
    rounds: Number(options.rounds),
    note: options.note,
  });
  await writeResults(results, { keep: options.keep && !options.quick && options.only === undefined });
} finally {
  await cleanUp();
}

async function cleanUp() {
  await stopPrograms();
  await servers?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
