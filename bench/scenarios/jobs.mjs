import { setTimeout as wait } from 'node:timers/promises';
import { say } from '../../scripts/prepare/report.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { load } from '../measuring/load.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { percentile } from '../measuring/statistics.mjs';
import { setAppendFsync, startJobSubjects } from '../subjects/job-subjects.mjs';

const CONNECTIONS = 16;
const CONCURRENCY = 10;
const POOL_SIZE = 10;
const END_LIMIT_MS = 60_000;
const POLL_MS = 20;

const FLOOD_FIGURES = {
  accepted_per_second: { title: 'triggers accepted per second', better: 'more' },
  answer_p50_ms: { title: 'answer to a trigger, p50, ms', better: 'less' },
  answer_p99_ms: { title: 'answer to a trigger, p99, ms', better: 'less' },
  ended_per_second: { title: 'jobs ended per second, first trigger to last end', better: 'more' },
  all_ended_ms: { title: 'first trigger until all have ended, ms', better: 'less' },
  processor_ms_per_job: { title: 'processor time of the program per job, ms', better: 'less' },
};
const TRICKLE_FIGURES = {
  start_p50_ms: { title: 'trigger sent until handler called, p50, ms', better: 'less' },
  start_p99_ms: { title: 'the same, p99, ms', better: 'less' },
};

/**
 * Jobs are accepted over HTTP and run by a call to a handler that answers at once.
 * @param {{ rounds: number, jobs: number, warmUps: number, slowJobs: number, slowPerSecond: number }} measure
 */
export async function jobsScenario(servers, { rounds, jobs, warmUps, slowJobs, slowPerSecond }) {
  say('Jobs: starting Service and its peers …');
  const issuer = await createIssuer();
  const handler = await Handler.start(issuer.keys);
  try {
    const fixture = { handler, issuer, concurrency: CONCURRENCY, poolSize: POOL_SIZE };
    const subjects = await startJobSubjects(servers, fixture);
    const withConnection = (count, measure) =>
      inRounds(subjects, count, (subject) =>
        withItsRedis(servers, subject, () => {
          handler.reset();
          return measure(subject);
        }),
      );

    say(`Jobs: warming up with ${warmUps} jobs each …`);
    await withConnection(1, (subject) => flood(handler, subject, warmUps));
    say(`Jobs: ${jobs} triggers over ${CONNECTIONS} connections …`);
    const floods = await withConnection(rounds, (subject) => flood(handler, subject, jobs));
    say(`Jobs: ${slowJobs} triggers, ${slowPerSecond} a second …`);
    const trickles = await withConnection(rounds, (subject) =>
      trickle(handler, subject, slowJobs, slowPerSecond),
    );
    return [
      {
        id: 'jobs-flood',
        title: `Jobs: ${jobs} triggers over ${CONNECTIONS} connections, ${CONCURRENCY} calls to the handler at one time`,
        figures: FLOOD_FIGURES,
        values: floods,
      },
      {
        id: 'jobs-trickle',
        title: `Jobs: ${slowJobs} triggers, ${slowPerSecond} a second`,
        figures: TRICKLE_FIGURES,
        values: trickles,
      },
    ];
  } finally {
    await stopPrograms();
    await handler.stop();
  }
}

async function withItsRedis({ redisUrl }, { redisAppendFsync }, work) {
  if (redisAppendFsync === undefined) return await work();
  await setAppendFsync(redisUrl, redisAppendFsync);
  try {
    return await work();
  } finally {
    await setAppendFsync(redisUrl, 'everysec');
  }
}

/** As many triggers as the connections carry, then the wait until the last job has ended. */
async function flood(handler, subject, amount) {
  const { program, triggerUrl, tokens } = subject;
  const processorBefore = program.processorMs;
  let number = 0;
  const loading = load({
    url: triggerUrl,
    connections: CONNECTIONS,
    amount,
    expected: 202,
    proof: '"id":',
    requestOf: (connection) => ({
      method: 'POST',
      headers: headersOf(tokens, connection),
      setupRequest: (request) => {
        number += 1;
        return { ...request, body: JSON.stringify({ payload: { number } }) };
      },
    }),
  });
  // Jobs end while triggers are still coming in.
  const ending = ended(handler, subject, amount).then(() => performance.now());
  const [{ perSecond, p50, p99, beganAt }, endedAt] = await Promise.all([loading, ending]);
  const allEndedMs = endedAt - beganAt;
  return {
    accepted_per_second: perSecond,
    answer_p50_ms: p50,
    answer_p99_ms: p99,
    ended_per_second: amount / (allEndedMs / 1_000),
    all_ended_ms: allEndedMs,
    ...(processorBefore === null
      ? {}
      : { processor_ms_per_job: (program.processorMs - processorBefore) / amount }),
  };
}

/** Triggers at a pace that leaves the program idle between them. */
async function trickle(handler, subject, amount, perSecond) {
  const { triggerUrl, tokens } = subject;
  const sentAt = new Map();
  const answers = [];
  const beganAt = performance.now();
  for (let number = 1; number <= amount; number += 1) {
    await wait(Math.max(0, beganAt + (number * 1_000) / perSecond - performance.now()));
    sentAt.set(number, performance.now());
    answers.push(
      fetch(triggerUrl, {
        method: 'POST',
        headers: headersOf(tokens, number),
        body: JSON.stringify({ payload: { number } }),
      }).then(async (response) => {
        await response.text();
        if (response.status !== 202) throw new Error(`${triggerUrl}: ${response.status}`);
      }),
    );
  }
  await Promise.all(answers);
  await ended(handler, subject, amount);
  const latencies = [...sentAt].map(([number, at]) => handler.arrivals.get(number) - at);
  return { start_p50_ms: percentile(latencies, 50), start_p99_ms: percentile(latencies, 99) };
}

function headersOf(tokens, place) {
  return { authorization: `Bearer ${tokens[place % tokens.length]}`, 'content-type': 'application/json' };
}

/** Resolves when the handler was called for all, and the program has taken down that all have ended. */
async function ended(handler, { name, unfinished }, amount) {
  const giveUpAt = performance.now() + END_LIMIT_MS;
  await handler.received(amount, END_LIMIT_MS);
  while ((await unfinished()) > 0) {
    if (performance.now() > giveUpAt) throw new Error(`${name}: jobs that were called do not end`);
    await wait(POLL_MS);
  }
  if (handler.repeated > 0) throw new Error(`${name} called the handler again for ${handler.repeated} jobs`);
}
