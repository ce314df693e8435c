import type { JobDefinition, ProjectClient } from '@service/client';
import { isCode } from '../../parts/queries.js';
import { operatorClientOf, personal } from '../../tenant/tenant.js';
import type { Tenant } from '../../tenant/tenant.js';

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
  return await withFreeName((slug) => personal.orgs.create({ slug, name: 'Sample' }), 'slug_taken');
}

/** Under the name `sample`, or one beside it where that is taken. */
async function withFreeName<Made>(create: (name: string) => Promise<Made>, taken: string): Promise<Made> {
  try {
    return await create('sample');
  } catch (error) {
    if (!isCode(error, taken)) throw error;
    return await create(`sample-${crypto.getRandomValues(new Uint16Array(1))[0] ?? 0}`);
  }
}

async function fill({ jobs }: Pick<Tenant['client'], 'jobs'>): Promise<void> {
  await jobs.register({ jobs: JOBS });
  await jobs.trigger('greet', { name: 'Ada' });
  await jobs.trigger('flaky', {});
  await jobs.trigger('reject', { items: [] });
}

/**
 * Creates an organization with jobs, and runs each once.
 * @throws ServiceError where the functions of examples/hello are not deployed
 */
export async function createSample(): Promise<{ slug: string }> {
  const organization = await createOrganization();
  await fill(personal.inOrg(organization.slug));
  return organization;
}

/**
 * The same with a project, for an operator.
 * @throws ServiceError where the functions of examples/hello are not deployed
 */
export async function createSampleProject(
  projects: ProjectClient['admin']['projects'],
): Promise<{ ref: string }> {
  const { ref } = await withFreeName((name) => projects.create({ ref: name, name: 'Sample' }), 'ref_taken');
  await fill(operatorClientOf(ref));
  return { ref };
}
