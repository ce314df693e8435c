import { Client, PASSWORD } from '../../support/client.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects } from '../../support/mailing-project.js';
import type { TestProject } from '../../support/project-environment.js';
import { until } from '../../support/until.js';

interface Mail {
  id: string;
  to: string;
  state: string;
  project_id: string;
}

let running: MailingProjects;
let project: TestProject;
let other: TestProject;
let operator: Client;

beforeAll(async () => {
  running = await startMailingProjects();
  project = await running.project();
  other = await running.project();
  operator = new Client(running.service.url).as(running.environment.adminToken);
});

afterAll(async () => {
  await running.stop();
});

/** Signs a user up in a project and recovers the account, which sends a mail. */
async function recovered({ anon, service }: TestProject, email: string): Promise<Mail> {
  await anon.post('/auth/v1/signup', { email, password: PASSWORD });
  await anon.post('/auth/v1/recover', { email });
  let mail: Mail | undefined;
  await until(async () => {
    [mail] = (await service.get<Mail[]>(`/auth/v1/mail/outbox?to=${email}&state=sent`)).body;
    return mail !== undefined;
  });
  return mail as Mail;
}

it('shows a service key the mails of its own project, and the operator those of all', async () => {
  const ours = await recovered(project, 'ada@example.com');
  const theirs = await recovered(other, 'ada@example.com');
  expect(ours).toMatchObject({ project_id: project.id, kind: 'recovery', smtp_code: 250 });
  const { body } = await project.service.get<Mail[]>('/auth/v1/mail/outbox');
  expect(body.map(({ id }) => id)).toEqual([ours.id]);
  const all = await operator.get<Mail[]>('/admin/v1/mail?to=ada@example.com');
  expect(all.body.map(({ id }) => id)).toEqual([theirs.id, ours.id]);
});

it('lets a service key send the mails of its own project again, and no others', async () => {
  const mail = await recovered(project, 'grace@example.com');
  const path = `/auth/v1/mail/outbox/${mail.id}/retry`;
  expect(await other.service.post(path)).toMatchObject({
    status: 404,
    body: { error: { code: 'mail_not_found' } },
  });
  await running.environment.database.query(`UPDATE mail_cooldowns SET taken_at = now() - interval '61 s'`);
  expect((await project.service.post(path)).status).toBe(202);
  await running.mailServer.mailTo('grace@example.com', 2);
  expect((await project.anon.get('/auth/v1/mail/outbox')).status).toBe(403);
  expect((await project.anon.post(path)).status).toBe(403);
});

it('lists an invitation that the mail server took, which only a new mail repeats, and forgets it with its user', async () => {
  const email = 'mary@example.com';
  const { body: invited } = await project.service.post<{ user: { id: string } }>('/auth/v1/invite', {
    email,
  });
  const path = '/auth/v1/mail/outbox';
  const listed = async (): Promise<Mail[]> => (await project.service.get<Mail[]>(`${path}?to=${email}`)).body;
  const [mail, ...others] = await listed();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ kind: 'invitation', state: 'sent', smtp_code: 250, user_id: invited.user.id });
  expect(await project.service.post(`${path}/${mail?.id ?? ''}/retry`)).toMatchObject({
    status: 409,
    body: { error: { code: 'mail_not_repeatable' } },
  });
  expect((await project.service.send('DELETE', `/auth/v1/users/${invited.user.id}`)).status).toBe(204);
  expect(await listed()).toEqual([]);
});

it('forgets the mails of a deleted project', async () => {
  const gone = await running.project();
  const mail = await recovered(gone, 'edith@example.com');
  expect((await operator.send('DELETE', `/admin/v1/projects/${gone.ref}`)).status).toBe(204);
  expect((await operator.get<Mail[]>('/admin/v1/mail?to=edith@example.com')).body).toEqual([]);
  expect((await operator.post(`/admin/v1/mail/${mail.id}/retry`)).status).toBe(404);
});
