import { ownerWithJob, serviceSubjects } from './job-subjects.mjs';

const CUSTOMERS = 100;
/** Limits that are counted for each run, and seldom reached. */
const LIMITS = {
  concurrency: { key: '/customer', limit: 1 },
  rate: { key: '/customer', limit: 1_000, per_ms: 1_000 },
};

/** One program with two organizations: one whose job has no limits, and one whose job has all of them. */
export async function limitsSubjects(servers, fixture) {
  const [service] = await serviceSubjects(servers, {
    ...fixture,
    organizations: 1,
    database: 'service_limits',
  });
  const token = await ownerWithJob(service.program.url, 'bench-limits', LIMITS);
  const payloadOf = (number) => ({ number, customer: number % CUSTOMERS });
  return [
    { ...service, triggerOf: (number) => ({ payload: payloadOf(number) }) },
    {
      ...service,
      name: 'Service, all limits',
      tokens: [token],
      triggerOf: (number) => ({ payload: payloadOf(number), priority: number % 3 }),
    },
  ];
}
