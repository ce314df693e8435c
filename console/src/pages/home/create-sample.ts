import type { JobDefinition } from '@service/client';
import { isCode } from '../../parts/queries.js';
import { personal } from '../../tenant/tenant.js';

/** Their handlers are the functions of examples/hello, which a start without configuration has. */
const JOBS: JobDefinition[] = [
  {
    id: 'greet',
    name: 'Greet someone',
    description: 'Answers a greeting to the name in the payload, and greets at every full hour.',
    handler: 'greet',
    timeout_ms: 5000,
    triggers: [
      { type: 'cron', schedule: '0 * * * *', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    ],
  },
  {
    id: 'flaky',
    name: 'Succeed at the third call',
    description: 'Its handler is unavailable twice; the retries carry the run through.',
    handler: 'flaky',
    timeout_ms: 5000,
    retries: 3,
    retry_backoff: { type: 'exponential', initial_ms: 200, max_ms: 2000, multiplier: 2 },
  },
  {
    id: 'reject',
    name: 'Refuse the payload',
    description: 'Its handler says that a retry would not help, so no retry follows.',
    handler: 'reject',
    timeout_ms: 5000,
    retries: 3,
  },
];

async function createOrganization(): Promise<{ slug: string }> {
  try {
    return await personal.orgs.create({ slug: 'sample', name: 'Sample' });
  } catch (error) {
    if (!isCode(error, 'slug_taken')) throw error;
    const suffix = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
    return await personal.orgs.create({ slug: `sample-${suffix}`, name: 'Sample' });
  }
}

/**
 * Creates an organization with jobs, and runs each once.
 * @throws ServiceError where the functions of examples/hello are not deployed
 */
export async function createSample(): Promise<{ slug: string }> {
  const organization = await createOrganization();
  const client = personal.inOrg(organization.slug);
  await client.jobs.register({ jobs: JOBS });
  await client.jobs.trigger('greet', { name: 'Ada' });
  await client.jobs.trigger('flaky', {});
  await client.jobs.trigger('reject', { items: [] });
  return organization;
}
