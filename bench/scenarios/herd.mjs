import { setTimeout as wait } from 'node:timers/promises';
import { say } from '../../scripts/prepare/report.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { PROCESSOR_FIGURES, startProcessorClock } from '../measuring/processor-time.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { percentile } from '../measuring/statistics.mjs';
import { startHerdService } from '../subjects/herd-subject.mjs';
import { ask } from '../subjects/service.mjs';

const TRIGGERS_PER_SECOND = 20;
const POLL_MS = 100;
const LIMIT_MS = 120_000;

const FIGURES = {
  committed_ms: { title: 'from the instant until all runs are committed, ms', better: 'less' },
  trigger_p50_ms: { title: 'answer to a trigger meanwhile, p50, ms', better: 'less' },
  trigger_max_ms: { title: 'answer to a trigger meanwhile, slowest, ms', better: 'less' },
  ...PROCESSOR_FIGURES,
};

/**
 * Schedules that are all due at the same instant.
 * @param {{ schedules: number, tenants: number }} measure how many schedules, and how many tenants have them
 */
export async function herdScenario(servers, { rounds, schedules, tenants }) {
  say('Herd: starting Service …');
  const handler = await Handler.start((await createIssuer()).keys);
  try {
    const service = await startHerdService(servers, handler, { schedules, tenants });
    const round = () => measure(servers, service, schedules);
    say('Herd: warming up …');
    await round();
    return [
      {
        id: 'herd',
        title: `Herd: ${schedules} schedules of ${tenants} tenants, due at one instant`,
        figures: FIGURES,
        values: await inRounds([{ name: 'Service' }], rounds, round),
      },
    ];
  } finally {
    await stopPrograms();
    await handler.stop();
  }
}

async function measure(servers, { program, token, triggerUrl, startFiring, unfinished }, schedules) {
  const latencies = [];
  const { committed } = await startFiring();
  const processorTime = startProcessorClock(servers, program);
  let isFiring = true;
  const committing = committed.finally(() => {
    isFiring = false;
  });
  while (isFiring) {
    const sentAt = performance.now();
    await ask(triggerUrl, { token, body: { payload: {} } });
    latencies.push(performance.now() - sentAt);
    await wait(1_000 / TRIGGERS_PER_SECOND);
  }
  const committed_ms = await committing;
  const figures = processorTime(schedules);
  await allEnded(unfinished);
  return {
    committed_ms,
    trigger_p50_ms: percentile(latencies, 50),
    trigger_max_ms: Math.max(...latencies),
    ...figures,
  };
}

/** The runs of one round must not delay those of the next. */
async function allEnded(unfinished) {
  const giveUpAt = performance.now() + LIMIT_MS;
  while ((await unfinished()) > 0) {
    if (performance.now() > giveUpAt) throw new Error('the runs of the herd do not end');
    await wait(POLL_MS);
  }
}
