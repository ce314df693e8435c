import { FINAL_STATUSES } from '../../../src/jobs/runs/model/run-status.js';
import { Client } from '../../support/client.js';
import type { Instance } from './deployment.js';
import type { FinalStatus, ProcessFact } from './history.js';

/** What a process counts now, by its `/metrics`. */
export async function scrape({ name, process }: Instance): Promise<ProcessFact> {
  const { body } = await new Client(process.url ?? '').get<string>('/metrics');
  const value = (sample: string): number => {
    const line = body.split('\n').find((each) => each.startsWith(`${sample} `));
    return Number(line?.slice(sample.length + 1));
  };
  const ended = FINAL_STATUSES.map((status): [FinalStatus, number] => [
    status,
    value(`service_jobs_runs_total{status="${status}"}`),
  ]);
  return {
    name,
    ended: Object.fromEntries(ended) as Record<FinalStatus, number>,
    durations: value('service_jobs_run_duration_seconds_count'),
    queueDepth: value('service_jobs_queue_depth'),
  };
}
