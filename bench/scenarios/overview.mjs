import { say } from '../../scripts/prepare/report.mjs';
import { Handler } from '../measuring/handler.mjs';
import { createIssuer } from '../measuring/issuer.mjs';
import { stopPrograms } from '../measuring/program.mjs';
import { inRounds } from '../measuring/rounds.mjs';
import { percentile } from '../measuring/statistics.mjs';
import { startOverviewService } from '../subjects/overview-subject.mjs';

/**
 * What the overview of the console reads, of one tenant with many runs.
 * @param {{ runs: number, days: number, repeats: number }} measure how many runs, over how many days
 */
export async function overviewScenario(servers, { rounds, runs, days, repeats }) {
  say(`Overview: a tenant with ${runs} runs …`);
  const handler = await Handler.start((await createIssuer()).keys);
  try {
    const service = await startOverviewService(servers, handler, { runs, days });
    const round = () => measure(service, repeats);
    await round();
    return [
      {
        id: 'overview',
        title: `Overview of a tenant with ${runs} runs in ${days} days`,
        figures: Object.fromEntries(service.ranges.flatMap(figuresOf)),
        values: await inRounds([{ name: 'Service' }], rounds, round),
      },
    ];
  } finally {
    await stopPrograms();
    await handler.stop();
  }
}

function figuresOf(range) {
  return [
    [`${range}_p50_ms`, { title: `by ${range}: all answers, p50, ms`, better: 'less' }],
    [`${range}_max_ms`, { title: `by ${range}: all answers, slowest, ms`, better: 'less' }],
  ];
}

async function measure({ ranges, overview }, repeats) {
  const figures = {};
  for (const range of ranges) {
    const times = [];
    for (let done = 0; done < repeats; done += 1) {
      const startedAt = performance.now();
      await overview(range);
      times.push(performance.now() - startedAt);
    }
    figures[`${range}_p50_ms`] = percentile(times, 50);
    figures[`${range}_max_ms`] = Math.max(...times);
  }
  return figures;
}
