import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../../scripts/prepare/report.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { buffersOf, startWithStatements } from '../measuring/statement-buffers.mjs';
import { startGrowthService } from '../subjects/growth-subject.mjs';

const NOTHING = { users: 0, organizations: 0, runs: 0 };

/**
 * The buffers that each statement of a common request or of a run touches in a small and in a large database. It starts
 * a PostgreSQL of its own, with pg_stat_statements.
 * @param {{ repeats: number, small: object, large: object }} measure how often each act is done, and the sizes by table
 */
export async function growthScenario(_servers, { repeats, small, large }) {
  const { startEmbedded } = await import('../../dist/src/platform/embedded/index.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'service-bench-growth-'));
  const handler = await Handler.start((await createIssuer()).keys);
  const log = ({ level, message }) => say(`${level}: ${message}`);
  let servers = null;
  try {
    servers = await startWithStatements(startEmbedded, { dataDir, postgres: true, redis: true, log });
    const service = await startGrowthService(servers, handler);
    const sizes = [];
    for (const [from, to] of [
      [NOTHING, small],
      [small, large],
    ]) {
      say(`Growth: ${JSON.stringify(to)} …`);
      await service.grow(from, to);
      sizes.push(await measure(service, repeats));
    }
    return [tableOf(sizes, small, large)];
  } finally {
    await stopPrograms();
    await handler.stop();
    await servers?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Buffers for each call, by act and statement. The first acts fill caches and make plans. */
async function measure({ acts, databaseUrl }, repeats) {
  const found = new Map();
  for (const [name, act] of Object.entries(acts)) {
    const repeat = async () => {
      for (let done = 0; done < repeats; done += 1) await act();
    };
    await repeat();
    for (const { id, text, buffers } of await buffersOf(databaseUrl, repeat))
      found.set(`${name} ${id}`, { title: `${name}: \`${text}\``, buffers });
  }
  return found;
}

function tableOf([atSmall, atLarge], small, large) {
  const figures = { growth: { title: 'largest growth of a statement, times', better: 'less' } };
  const [few, many] = [{ growth: [1] }, { growth: [0] }];
  for (const [key, { title, buffers }] of atSmall) {
    const grown = atLarge.get(key)?.buffers;
    if (grown === undefined || buffers === 0) continue;
    figures[key] = { title, better: 'less' };
    few[key] = [buffers];
    many[key] = [grown];
    many.growth = [Math.max(many.growth[0], grown / buffers)];
  }
  return {
    id: 'growth',
    title: `Growth, buffers touched by each call of a statement: ${sizeOf(small)}, then ${sizeOf(large)}`,
    figures,
    values: { small: few, large: many },
  };
}

function sizeOf({ users, organizations, runs }) {
  return `${users} users, ${organizations} organizations and ${runs} ended runs`;
}
