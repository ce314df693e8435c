import { say } from '../../scripts/prepare/report.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { PROCESSOR_FIGURES, startProcessorClock } from '../measuring/processor-time.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { repeatRequest } from '../measuring/request-load.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { startFollowersService } from '../subjects/followers-subject.mjs';

const CONNECTIONS = 16;
const FIGURES = {
  per_second: { title: 'requests per second', better: 'more' },
  p50_ms: { title: 'answer, p50, ms', better: 'less' },
  p99_ms: { title: 'answer, p99, ms', better: 'less' },
  ...PROCESSOR_FIGURES,
};

/**
 * A warm authorized request without followers of logs, with many, and with many open consoles, while jobs run.
 * @param {{ requests: number, warmUps: number, followers: number, consoles: number }} measure requests of a round
 */
export async function followersScenario(servers, { rounds, requests, warmUps, followers, consoles }) {
  say('Followers: starting Service …');
  const handler = await Handler.start((await createIssuer()).keys);
  try {
    const service = await startFollowersService(servers, handler);
    const headers = Array.from({ length: CONNECTIONS }, (_, connection) => service.headersOf(connection));
    const measure = (amount) => async (subject) => {
      await service.lookBy(subject.consoles);
      await service.followBy(subject.followers + subject.consoles);
      const processorTime = startProcessorClock(servers, service.program);
      const { perSecond, p50, p99 } = await repeatRequest({
        url: service.url,
        headers,
        amount,
        proof: '"permissions":',
      });
      return { per_second: perSecond, p50_ms: p50, p99_ms: p99, ...processorTime(amount) };
    };
    const subjects = [
      { name: 'Service', followers: 0, consoles: 0 },
      { name: `Service, ${followers} followers`, followers, consoles: 0 },
      { name: `Service, ${consoles} open consoles`, followers: 0, consoles },
    ];
    await inRounds(subjects, 1, measure(warmUps));
    const values = await inRounds(subjects, rounds, measure(requests));
    await service.lookBy(0);
    await service.stopRunning();
    return [
      {
        id: 'followers',
        title: `Followers of logs: ${requests} warm requests over ${CONNECTIONS} connections`,
        figures: FIGURES,
        values,
      },
    ];
  } finally {
    await stopPrograms();
    await handler.stop();
  }
}
