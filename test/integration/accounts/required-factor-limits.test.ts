import { PASSWORD } from '../../support/client.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects } from '../../support/mailing-project.js';

/** Sign-ups there are answered with a refusal, because their sign-in waits for a factor. */
describe('sign-ups in a project that requires a second factor', () => {
  let running: MailingProjects;

  beforeAll(async () => {
    running = await startMailingProjects({
      SERVICE_SERVER__TRUST_PROXY: '1',
      SERVICE_LIMITS__SIGN_UPS_PER_ADDRESS: '2',
    });
  });

  afterAll(async () => {
    await running.stop();
  });

  it('count for the address of their client', async () => {
    const { service, anon } = await running.project();
    await service.send('PATCH', '/auth/v1/sign-in-settings', { require_second_factor: true });
    const client = anon.with({ 'x-forwarded-for': '192.0.2.1' });
    const statuses: number[] = [];
    for (const name of ['ada', 'ben', 'cy']) {
      const account = { email: `${name}@example.com`, password: PASSWORD };
      statuses.push((await client.post('/auth/v1/signup', account)).status);
    }
    expect(statuses).toEqual([403, 403, 429]);
  });
});
