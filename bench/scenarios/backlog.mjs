import { say } from '../../scripts/prepare/report.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { waitForEnd } from '../measuring/job-loads.mjs';
import { PROCESSOR_FIGURES, startProcessorClock } from '../measuring/processor-time.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { SIZES } from '../subjects/job-subjects.mjs';
import { startBacklogService } from '../subjects/backlog-subject.mjs';

const LIMIT_MS = 60_000;

const FIGURES = {
  claimed_per_second: { title: 'runs claimed per second', better: 'more' },
  ...PROCESSOR_FIGURES,
};

/**
 * How fast runs are claimed when few wait and when many wait. All runs belong to one organization. The rounds with few
 * runs come first, since the many would have to run before them otherwise.
 * @param {{ few: number, many: number }} measure waiting runs at the start of a round
 */
export async function backlogScenario(servers, { rounds, few, many }) {
  say('Backlog: starting Service …');
  const handler = await Handler.start((await createIssuer()).keys);
  try {
    const fixture = { handler, ...SIZES };
    const service = await startBacklogService(servers, fixture);
    const measured = Math.floor(few * 0.9);
    const atFew = async () => {
      const figures = await claim(servers, handler, service, few, measured);
      await waitForEnd(handler, service, 0);
      return figures;
    };
    const atMany = async () => {
      const figures = await claim(servers, handler, service, many, measured);
      handler.hold();
      return figures;
    };

    say('Backlog: warming up …');
    await atFew();
    const values = {
      ...(await inRounds([{ name: 'Service' }], rounds, atFew)),
      ...(await inRounds([{ name: `Service, ${many} waiting` }], rounds, atMany)),
    };
    return [
      {
        id: 'jobs-backlog',
        title: `Jobs, backlog: the next ${measured} of ${few} and of ${many} waiting runs`,
        figures: FIGURES,
        values,
      },
    ];
  } finally {
    await stopPrograms();
    await handler.stop();
  }
}

/** Lets runs wait while the handler holds its calls, then answers the calls and times those that follow. */
async function claim(servers, handler, { program, fill }, waiting, measured) {
  handler.hold();
  await fill(waiting);
  handler.reset();
  const processorTime = startProcessorClock(servers, program);
  const beganAt = performance.now();
  handler.answerAll();
  await handler.received(measured, LIMIT_MS);
  const tookMs = performance.now() - beganAt;
  return { claimed_per_second: measured / (tookMs / 1_000), ...processorTime(measured) };
}
