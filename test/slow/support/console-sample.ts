import { Client, PASSWORD, signUp } from '../../support/client.js';
import { OPERATOR_TOKEN } from '../../support/profile.js';
import type { ConsoleOwner, ConsoleProgram } from './console.js';

const FAILING = `export default async (request) => {
  const { order } = await request.json();
  console.log('charging order ' + order);
  return Response.json({ error: 'the card was declined' }, { status: 422 });
}`;

/** Functions of the sample organization. */
export const SAMPLE_FUNCTIONS = {
  report: `export default async () => {
    console.log('reading 1,240 orders');
    console.log('report written');
    return Response.json({ rows: 1240 });
  }`,
  charge: FAILING,
};

const JOBS = [
  {
    id: 'nightly-report',
    name: 'Nightly report',
    description: 'Sums up the orders of the day.',
    handler: 'report',
    triggers: [{ type: 'cron', schedule: '30 2 * * *', timezone: 'Europe/Berlin' }],
  },
  {
    id: 'sync-stock',
    name: 'Sync the stock',
    description: 'Asks the warehouse what it has.',
    handler: 'report',
    triggers: [{ type: 'cron', schedule: '0 */2 * * *', timezone: 'America/New_York' }],
  },
  { id: 'charge-card', name: 'Charge a card', description: 'One call for each order.', handler: 'charge' },
];

const HOURS = 24;

/** The figures of runs of the last day. */
async function addHistory(program: ConsoleProgram, tenantId: string): Promise<void> {
  for (let hour = 1; hour < HOURS; hour += 1) {
    const busy = Math.round(40 + 30 * Math.sin((hour / HOURS) * 2 * Math.PI));
    const failed = hour % 7 === 0 ? 6 : hour % 3;
    await program.environment.database.query(
      `INSERT INTO run_stats AS stats (tenant_id, job_id, minutes, at, accepted, completed, failed, cancelled, durations, waits)
       SELECT $1, job_id, minutes, date_bin(make_interval(mins => minutes), now() - make_interval(hours => $2::int), '2000-01-01Z'),
              $3::int, $3, $4, 0, ARRAY[256 * $3 + 50 + $2 / 2], ARRAY[256 * $3 + 35]
       FROM unnest(ARRAY['charge-card', '']) AS job_id CROSS JOIN unnest(ARRAY[1, 60, 1440]) AS minutes
       ON CONFLICT (tenant_id, job_id, minutes, at) DO UPDATE SET
         accepted = stats.accepted + EXCLUDED.accepted, completed = stats.completed + EXCLUDED.completed,
         failed = stats.failed + EXCLUDED.failed, durations = stats.durations || EXCLUDED.durations,
         waits = stats.waits || EXCLUDED.waits`,
      [tenantId, hour, busy, failed],
    );
  }
}

/** An organization with members, roles, keys, secrets, jobs and runs, such as pages are looked at with. */
export async function sampleOrganization(program: ConsoleProgram): Promise<ConsoleOwner> {
  const slug = 'initech';
  const { client: ada, email } = await signUp(program.url, 'ada@initech.example');
  const created = await ada.post<{ id: string }>('/auth/v1/orgs', { slug, name: 'Initech' });
  const client = ada.in(slug);
  const org = `/auth/v1/orgs/${slug}`;
  await client.post(`${org}/roles`, {
    name: 'analyst',
    permissions: ['jobs:jobs:read', 'jobs:runs:read', 'data:orders:read'],
  });
  for (const [invited, role] of [
    ['grace@initech.example', 'admin'],
    ['ben@initech.example', 'analyst'],
    ['leila@شركة.example', 'member'],
  ] as const)
    await client.post(`${org}/invitations`, { email: invited, role });
  await client.post(`${org}/api-keys`, { name: 'Nightly export', permissions: ['jobs:runs:read'] });
  const registered = await client.post('/jobs/v1/jobs', { jobs: JOBS });
  if (registered.status !== 200) throw new Error(JSON.stringify(registered.body));
  await client.send('PUT', '/vault/v1/secrets/shop/webhook', { value: 'whsec-of-the-shop' });
  await addHistory(program, created.body.id);
  for (let order = 1; order <= 6; order += 1)
    await client.post('/jobs/v1/jobs/charge-card/trigger', { payload: { order: 4100 + order } });
  for (let run = 0; run < 6; run += 1) await client.post('/jobs/v1/jobs/nightly-report/trigger', {});
  return { client, email, slug };
}

/** A project with users, jobs, runs and a secret. */
export async function sampleProject(
  program: ConsoleProgram,
): Promise<{ serviceKey: string; userId: string }> {
  const { body: project } = await new Client(program.url)
    .as(OPERATOR_TOKEN)
    .post<{ anon_key: string; service_key: string }>('/admin/v1/projects', { ref: 'shop', name: 'The shop' });
  const anybody = new Client(program.url, { apikey: project.anon_key });
  for (const name of ['ana', 'ben', 'grace'])
    await anybody.post('/auth/v1/signup', { email: `${name}@shop.example`, password: PASSWORD });
  const client = new Client(program.url).as(project.service_key);
  await client.post('/jobs/v1/jobs', { jobs: JOBS });
  await client.send('PUT', '/vault/v1/secrets/shop/webhook', { value: 'whsec-of-the-shop' });
  for (let order = 1; order <= 3; order += 1)
    await client.post('/jobs/v1/jobs/charge-card/trigger', { payload: { order } });
  for (let run = 0; run < 4; run += 1) await client.post('/jobs/v1/jobs/nightly-report/trigger', {});
  const { body: users } = await client.get<{ id: string }[]>('/auth/v1/users');
  return { serviceKey: project.service_key, userId: users[0]?.id ?? '' };
}
