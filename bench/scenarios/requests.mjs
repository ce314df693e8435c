import { say } from '../../scripts/prepare/report.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { PROCESSOR_FIGURES, startProcessorClock } from '../measuring/processor-time.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { repeatRequest } from '../measuring/request-load.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { startRequestSubjects } from '../subjects/request-subjects.mjs';

const CONNECTIONS = 16;
const FIGURES = {
  per_second: { title: 'requests per second', better: 'more' },
  p50_ms: { title: 'answer, p50, ms', better: 'less' },
  p99_ms: { title: 'answer, p99, ms', better: 'less' },
  ...PROCESSOR_FIGURES,
};

/**
 * An authenticated, authorized request whose answer comes from memory, beside the frameworks that Service uses.
 * @param {{ requests: number, warmUps: number }} measure requests of a round
 */
export async function requestsScenario(servers, { rounds, requests, warmUps }) {
  say('Requests: starting Service and its peers …');
  const issuer = await createIssuer();
  // Serves the keys that verify the peers' tokens.
  const handler = await Handler.start(issuer.keys);
  try {
    const subjects = await startRequestSubjects(servers, { handler, issuer, connections: CONNECTIONS });
    const measure = (amount) => async (subject) => {
      const processorTime = startProcessorClock(servers, subject.program);
      const { perSecond, p50, p99 } = await repeatRequest({ ...subject, amount, proof: '"permissions":' });
      return { per_second: perSecond, p50_ms: p50, p99_ms: p99, ...processorTime(amount) };
    };
    await inRounds(subjects, 1, measure(warmUps));
    return [
      {
        id: 'requests',
        title: `Warm authorized request: ${requests} over ${CONNECTIONS} connections`,
        figures: FIGURES,
        values: await inRounds(subjects, rounds, measure(requests)),
      },
    ];
  } finally {
    await stopPrograms();
    await handler.stop();
  }
}
