import { readFile } from 'node:fs/promises';
import { say } from '../../scripts/prepare/report.mjs';
import { withConnection } from '../measuring/database.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { flood } from '../measuring/job-loads.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { serviceSubjects, SIZES } from '../subjects/job-subjects.mjs';

/** The owners sign in once. */
const VARIABLES = { SERVICE_IDENTITY__ACCESS_TTL_SECS: '86400' };
const MIB = 1_048_576;
const FIGURES = {
  ended_per_second: { title: 'jobs ended per second', better: 'more' },
  active_mib: { title: 'runs_active with its indexes, MiB', better: 'less' },
  active_dead: { title: 'dead rows of runs_active', better: 'less' },
  queues_mib: { title: 'tenant_queues with its indexes, MiB', better: 'less' },
  wrong_counts: { title: 'organizations with wrong counts', better: 'less' },
  program_mib: { title: 'memory of the program, MiB', better: 'less' },
};

/**
 * One flood after the other. What is kept of runs that have ended grows; what work is done with must not.
 * @param {object} measure
 * @param {number} measure.parts in which the time is divided, each with figures of its own at its end
 * @param {number} measure.secondsEach of a part
 * @param {number} measure.jobs of a flood
 */
export async function soakScenario(servers, { organizations, parts, secondsEach, jobs }) {
  const handler = await Handler.start((await createIssuer()).keys);
  try {
    const fixture = { handler, organizations, ...SIZES, variables: VARIABLES, database: 'service_soak' };
    const [, subject] = await serviceSubjects(servers, fixture);
    const values = {};
    for (let part = 1; part <= parts; part += 1) {
      const figures = await floods(servers, { handler, subject, seconds: secondsEach, jobs });
      values[`after ${part * secondsEach} s`] = figures;
      say(`Soak, ${part} of ${parts}: ${JSON.stringify(figures)}`);
    }
    return [{ id: 'soak', title: `Soak: floods of ${jobs} triggers`, figures: FIGURES, values }];
  } finally {
    await stopPrograms();
    await handler.stop();
  }
}

async function floods(servers, { handler, subject, seconds, jobs }) {
  const beganAt = performance.now();
  const secondsAgo = () => (performance.now() - beganAt) / 1_000;
  let ended = 0;
  while (secondsAgo() < seconds) {
    handler.reset();
    await flood(servers, handler, subject, jobs);
    ended += jobs;
  }
  const endedPerSecond = ended / secondsAgo();
  const { active, dead, queues, wrong } = await withConnection(subject.databaseUrl, readSizes);
  return {
    ended_per_second: [endedPerSecond],
    active_mib: [active / MIB],
    active_dead: [dead],
    queues_mib: [queues / MIB],
    wrong_counts: [wrong],
    program_mib: [await residentMib(subject.program)],
  };
}

async function residentMib({ child }) {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

async function readSizes(client) {
  const { rows } = await client.query(
    `SELECT pg_total_relation_size('runs_active')::float8 AS active,
            pg_stat_get_dead_tuples('runs_active'::regclass)::int AS dead,
            pg_total_relation_size('tenant_queues')::float8 AS queues,
            (SELECT count(*)::int FROM tenant_queues_with_wrong_counts) AS wrong`,
  );
  return rows[0];
}
