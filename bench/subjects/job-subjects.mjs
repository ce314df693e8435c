import { Redis } from 'ioredis';
import { withConnection } from '../measuring/database.mjs';
import { AUDIENCE, ISSUER } from '../measuring/issuer.mjs';
import { startPeer } from './peer.mjs';
import { ask, signUp, startService } from './service.mjs';

export const HANDLER = 'answer';
const JOB = 'bench';
const SYNCED = 'each write synced';
/** Of each program: calls to the handler at one time, and connections to its database. */
export const SIZES = { concurrency: 10, poolSize: 10 };

/**
 * Service and its peers, started, each on a database of its own. Service counts twice: all jobs in one organization,
 * as the peers know no tenants, and spread over several.
 *
 * A subject says where a trigger is sent and with which tokens, in turn over the connections, how many jobs have not
 * ended, whether only floods are measured, and, where Redis has to be set for it, how. It may say which trigger has a
 * number.
 */
export async function startJobSubjects(servers, { handler, issuer, organizations, concurrency, poolSize }) {
  const common = {
    BENCH_HANDLER_URL: `${handler.origin}/${HANDLER}`,
    BENCH_KEYS_URL: `${handler.origin}/keys`,
    BENCH_ISSUER: ISSUER,
    BENCH_AUDIENCE: AUDIENCE,
    BENCH_CONCURRENCY: String(concurrency),
    BENCH_POOL_SIZE: String(poolSize),
  };
  const tokens = [await issuer.tokenOf('ada')];
  const peer = async (name, file, database, variables = {}) => {
    const program = await startPeer(servers, file, database, { ...common, ...variables });
    return {
      name,
      program,
      triggerUrl: `${program.url}/trigger`,
      tokens,
      unfinished: async () => (await ask(`${program.url}/unfinished`)).unfinished,
    };
  };
  /** A queue in Redis, twice: as its documentation recommends, and with each write synced. */
  const redisPeers = async (name, file, database) => [
    await peer(name, file, database, { BENCH_PREFIX: `${database}-everysec` }),
    {
      ...(await peer(`${name}, ${SYNCED}`, file, `${database}_always`, {
        BENCH_PREFIX: `${database}-always`,
      })),
      redisAppendFsync: 'always',
    },
  ];
  return [
    ...(await serviceSubjects(servers, { handler, organizations, concurrency, poolSize })),
    await peer('pg-boss', 'pg-boss.mjs', 'pg_boss'),
    await peer('graphile-worker', 'graphile-worker.mjs', 'graphile_worker'),
    ...(await redisPeers('BullMQ', 'bullmq.mjs', 'bullmq')),
    ...(await redisPeers('Bull', 'bull.mjs', 'bull')),
    await peer('bare pg, batched', 'bare-pg.mjs', 'bare_pg'),
  ];
}

/** Service with all jobs in one organization, and with jobs spread over several. Each scenario has a database of its own. */
export async function serviceSubjects(servers, fixture) {
  const {
    handler,
    organizations,
    concurrency,
    poolSize,
    variables = {},
    database = 'service_jobs',
  } = fixture;
  const { program, databaseUrl } = await startService(servers, database, {
    SERVICE_JOBS__WORKER_COUNT: String(concurrency),
    SERVICE_DATABASE__POOL_SIZE: String(poolSize),
    SERVICE_FUNCTIONS__URL: `${handler.origin}/{handler}`,
    ...variables,
  });
  const tokens = [];
  for (let number = 0; number < organizations; number += 1)
    tokens.push(await ownerWithJob(program.url, `bench-${number}`));
  const subject = {
    program,
    databaseUrl,
    triggerUrl: triggerUrlOf(program),
    unfinished: () => withConnection(databaseUrl, unfinishedRuns),
  };
  return [
    { ...subject, name: 'Service', tokens: tokens.slice(0, 1) },
    { ...subject, name: `Service, ${organizations} organizations`, tokens, isForFloods: true },
  ];
}

export function triggerUrlOf({ url }) {
  return `${url}/jobs/v1/jobs/${JOB}/trigger`;
}

/** Signs up a user whose organization has the job. Returns the token of the user. */
export async function ownerWithJob(url, slug, definition = {}) {
  const { access_token: token } = await signUp(url, `${slug}@example.com`);
  await ask(`${url}/auth/v1/orgs`, { token, body: { slug, name: 'Bench' } });
  const job = { id: JOB, name: 'Bench', handler: HANDLER, ...definition };
  await ask(`${url}/jobs/v1/jobs`, { token, body: { jobs: [job] } });
  return token;
}

export async function unfinishedRuns(client) {
  const { rows } = await client.query(
    `SELECT count(*)::int AS count FROM runs WHERE status IN ('queued', 'running', 'retrying')`,
  );
  return rows[0].count;
}

/** How Redis syncs its append-only file, by default. */
export async function setAppendFsync(redisUrl, value) {
  const redis = new Redis(redisUrl);
  try {
    await redis.config('SET', 'appendfsync', value);
  } finally {
    redis.disconnect();
  }
}
