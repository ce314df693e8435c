import { Redis } from 'ioredis';
import { withConnection } from '../measuring/database.mjs';
import { AUDIENCE, ISSUER } from '../measuring/issuer.mjs';
import { startPeer } from './peer.mjs';
import { ask, signUp, startService } from './service.mjs';

const HANDLER = 'answer';
const JOB = 'bench';
const ORGANIZATIONS = 8;

/**
 * Service and its peers, started, each on a database of its own. Service counts twice: all jobs in one organization,
 * as the peers know no tenants, and spread over several.
 *
 * A subject says where a trigger is sent and with which tokens, in turn over the connections, how many jobs have not
 * ended, and, where Redis has to be set for it, how.
 */
export async function startJobSubjects(servers, { handler, issuer, concurrency, poolSize }) {
  const common = {
    BENCH_HANDLER_URL: `${handler.origin}/${HANDLER}`,
    BENCH_KEYS_URL: `${handler.origin}/keys`,
    BENCH_ISSUER: ISSUER,
    BENCH_AUDIENCE: AUDIENCE,
    BENCH_CONCURRENCY: String(concurrency),
    BENCH_POOL_SIZE: String(poolSize),
  };
  const peer = async (name, file, database, variables = {}) => {
    const program = await startPeer(servers, file, database, { ...common, ...variables });
    return {
      name,
      program,
      triggerUrl: `${program.url}/trigger`,
      tokens: [issuer.token],
      unfinished: async () => (await ask(`${program.url}/unfinished`)).unfinished,
    };
  };
  return [
    ...(await serviceSubjects(servers, { handler, concurrency, poolSize })),
    await peer('pg-boss', 'pg-boss.mjs', 'pg_boss'),
    await peer('graphile-worker', 'graphile-worker.mjs', 'graphile_worker'),
    await peer('BullMQ', 'bullmq.mjs', 'bullmq', { BENCH_PREFIX: 'everysec' }),
    {
      ...(await peer('BullMQ, each write synced', 'bullmq.mjs', 'bullmq_always', { BENCH_PREFIX: 'always' })),
      redisAppendFsync: 'always',
    },
  ];
}

async function serviceSubjects(servers, { handler, concurrency, poolSize }) {
  const { program, databaseUrl } = await startService(servers, 'service_jobs', {
    SERVICE_JOBS__WORKER_COUNT: String(concurrency),
    SERVICE_DATABASE__POOL_SIZE: String(poolSize),
    SERVICE_FUNCTIONS__URL: `${handler.origin}/{handler}`,
  });
  const tokens = [];
  for (let number = 0; number < ORGANIZATIONS; number += 1)
    tokens.push(await ownerWithJob(program.url, `bench-${number}`));
  const subject = {
    program,
    triggerUrl: `${program.url}/jobs/v1/jobs/${JOB}/trigger`,
    unfinished: () => withConnection(databaseUrl, unfinishedRuns),
  };
  return [
    { ...subject, name: 'Service', tokens: tokens.slice(0, 1) },
    { ...subject, name: `Service, ${ORGANIZATIONS} organizations`, tokens },
  ];
}

/** A user, whose organization has the job. */
async function ownerWithJob(url, slug) {
  const { access_token: token } = await signUp(url, `${slug}@example.com`);
  await ask(`${url}/auth/v1/orgs`, { token, body: { slug, name: 'Bench' } });
  await ask(`${url}/jobs/v1/jobs`, { token, body: { jobs: [{ id: JOB, name: 'Bench', handler: HANDLER }] } });
  return token;
}

async function unfinishedRuns(client) {
  const { rows } = await client.query(
    `SELECT count(*)::int AS count FROM runs WHERE status IN ('queued', 'running', 'retrying')`,
  );
  return rows[0].count;
}

/** How Redis syncs its append-only file, until it is told otherwise. */
export async function setAppendFsync(redisUrl, value) {
  const redis = new Redis(redisUrl);
  try {
    await redis.config('SET', 'appendfsync', value);
  } finally {
    redis.disconnect();
  }
}
