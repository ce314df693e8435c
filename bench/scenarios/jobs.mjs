import { say } from '../../scripts/prepare/report.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { flood, trickle } from '../measuring/job-loads.mjs';
import { PROCESSOR_FIGURES } from '../measuring/processor-time.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { setAppendFsync, SIZES, startJobSubjects } from '../subjects/job-subjects.mjs';

export const FLOOD_FIGURES = {
  accepted_per_second: { title: 'triggers accepted per second', better: 'more' },
  answer_p50_ms: { title: 'answer to a trigger, p50, ms', better: 'less' },
  answer_p99_ms: { title: 'answer to a trigger, p99, ms', better: 'less' },
  ended_per_second: { title: 'jobs ended per second, first trigger to last end', better: 'more' },
  all_ended_ms: { title: 'first trigger until all have ended, ms', better: 'less' },
  ...PROCESSOR_FIGURES,
};
const TRICKLE_FIGURES = {
  start_p50_ms: { title: 'trigger sent until handler called, p50, ms', better: 'less' },
  start_p99_ms: { title: 'trigger sent until handler called, p99, ms', better: 'less' },
  ...PROCESSOR_FIGURES,
};

/**
 * Jobs are accepted over HTTP and run by a call to a handler that answers at once.
 * @param {object} measure
 * @param {number} measure.jobs of a flood, in one round
 * @param {{ jobs: number, perSecond: number }[]} measure.trickles
 */
export async function jobsScenario(servers, { rounds, organizations, jobs, warmUps, trickles }) {
  say('Jobs: starting Service and its peers …');
  const issuer = await createIssuer();
  const handler = await Handler.start(issuer.keys);
  try {
    const fixture = { handler, issuer, organizations, ...SIZES };
    const subjects = await startJobSubjects(servers, fixture);
    const measureAll = (chosen, count, measure) =>
      inRounds(chosen, count, (subject) =>
        withItsRedis(servers, subject, () => {
          handler.reset();
          return measure(subject);
        }),
      );

    say(`Jobs: warming up with ${warmUps} jobs each …`);
    await measureAll(subjects, 1, (subject) => flood(servers, handler, subject, warmUps));
    say(`Jobs: ${jobs} triggers as fast as they are accepted …`);
    const tables = [
      {
        id: 'jobs-flood',
        title: `Jobs, flood: ${jobs} triggers over 16 connections, ${SIZES.concurrency} calls to the handler at one time`,
        figures: FLOOD_FIGURES,
        values: await measureAll(subjects, rounds, (subject) => flood(servers, handler, subject, jobs)),
      },
    ];
    for (const { jobs: amount, perSecond } of trickles) {
      say(`Jobs: ${amount} triggers, ${perSecond} a second …`);
      const measure = (subject) => trickle(servers, handler, subject, amount, perSecond);
      tables.push({
        id: `jobs-trickle-${perSecond}`,
        title: `Jobs, ${perSecond} a second: ${amount} triggers`,
        figures: TRICKLE_FIGURES,
        values: await measureAll(
          subjects.filter(({ isForFloods }) => isForFloods !== true),
          rounds,
          measure,
        ),
      });
    }
    return tables;
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
