import { say } from '../../scripts/prepare/report.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { flood } from '../measuring/job-loads.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { SIZES } from '../subjects/job-subjects.mjs';
import { limitsSubjects } from '../subjects/limits-subjects.mjs';
import { FLOOD_FIGURES } from './jobs.mjs';

/** The flood of a job without limits, and of one with a limit for each customer, a rate and priorities. */
export async function limitsScenario(servers, { rounds, jobs, warmUps }) {
  say('Limits: starting Service …');
  const handler = await Handler.start((await createIssuer()).keys);
  try {
    const subjects = await limitsSubjects(servers, { handler, ...SIZES });
    const measureAll = (count, amount) =>
      inRounds(subjects, count, (subject) => {
        handler.reset();
        return flood(servers, handler, subject, amount);
      });
    say(`Limits: warming up with ${warmUps} jobs each …`);
    await measureAll(1, warmUps);
    say(`Limits: ${jobs} triggers as fast as they are accepted …`);
    return [
      {
        id: 'jobs-limits',
        title: `Jobs, limits: ${jobs} triggers of 100 customers`,
        figures: FLOOD_FIGURES,
        values: await measureAll(rounds, jobs),
      },
    ];
  } finally {
    await stopPrograms();
    await handler.stop();
  }
}
