import { PASSWORD } from '../../../support/client.js';
import { mailSettings } from '../../../support/mailing-project.js';
import { tokenOf } from '../../../support/mail-server.js';
import type { MailServer } from '../../../support/mail-server.js';
import { createProject } from '../../../support/project-environment.js';
import type { TestProject } from '../../../support/project-environment.js';
import type { Operation } from './document.js';
import { freshAddress, hookSignature, jobsGround, knownIn } from './ground.js';
import type { Credentials, Ground, KnownValues } from './ground.js';

interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly user: { readonly id: string; readonly email: string };
}

async function signUp({ anon }: TestProject): Promise<Session> {
  const { status, body } = await anon.post<Session>('/auth/v1/signup', {
    email: freshAddress(),
    password: PASSWORD,
  });
  if (status !== 201) throw new Error(`a sign-up answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A project with users, mail and jobs, and another that nobody misses. */
export async function projectGround(
  url: string,
  mailServer: MailServer,
  adminToken: string,
): Promise<Ground> {
  const project = await createProject(url, adminToken);
  const spare = await createProject(url, adminToken);
  const { ref, anonKey, serviceKey, service, anon } = project;
  await service.send('PUT', '/auth/v1/mail', mailSettings(mailServer));
  const [user, other] = [await signUp(project), await signUp(project)];
  const jobs = await jobsGround(service, ref);
  const [invited, linked] = [freshAddress(), freshAddress()];
  await service.post('/auth/v1/invite', { email: invited });
  await anon.post('/auth/v1/magic-link', { email: linked });
  await anon.post('/auth/v1/recover', { email: other.user.email });
  const invitation = tokenOf(await mailServer.mailTo(invited));
  const magicLink = tokenOf(await mailServer.mailTo(linked));
  const recovery = tokenOf(await mailServer.mailTo(other.user.email));

  const settings = mailSettings(mailServer);
  const values: KnownValues = {
    ...jobs,
    '': {
      ...jobs[''],
      ref: [ref],
      email: [user.user.email, freshAddress()],
      password: [PASSWORD],
      repeat: [PASSWORD],
      refresh_token: [other.refresh_token],
      name: ['magic_link', 'recovery', 'invite'],
      subject: ['Hello {{project}}'],
      html: ['<a href="{{link}}">{{email}}</a>'],
      text: ['{{link}}'],
      to: [freshAddress()],
      cursor: [],
    },
    'POST /auth/v1/signup': { email: [freshAddress()] },
    'POST /auth/v1/invite': { email: [freshAddress()] },
    'PUT /auth/v1/mail': {
      host: [settings.host],
      port: [settings.port],
      from: [settings.from],
      tls: ['none'],
      user: ['acme'],
      password: ['secret'],
    },
    'GET /auth/v1/users': { id: [user.user.id], email: [user.user.email] },
    'PATCH /auth/v1/users': { id: [other.user.id] },
    'DELETE /auth/v1/users': { id: [other.user.id] },
    'POST /auth/v1/verify': { token: [magicLink] },
    'POST /auth/v1/recover/complete': { token: [recovery] },
    'POST /auth/v1/invite/accept': { token: [invitation] },
    'GET /auth/v1/pages/{ref}/magic-link': { token: [magicLink] },
    'POST /auth/v1/pages/{ref}/magic-link': { token: [magicLink] },
    'GET /auth/v1/pages/{ref}/recover': { token: [recovery] },
    'POST /auth/v1/pages/{ref}/recover': { token: [recovery] },
    'GET /auth/v1/pages/{ref}/invite': { token: [invitation] },
    'POST /auth/v1/pages/{ref}/invite': { token: [invitation] },
    'POST /admin/v1/projects': {
      ref: [`${ref}-2`.slice(0, 40)],
      name: ['A project'],
      hosts: [[`${ref}.example.com`]],
    },
    'PATCH /admin/v1/projects': { ref: [spare.ref], name: ['A project'], hosts: [[]] },
    'DELETE /admin/v1/projects': { ref: [spare.ref] },
    'POST /admin/v1/projects/{ref}/keys': { ref: [spare.ref] },
  };
  const host = `X-Forwarded-Host: ${ref}.projects.test`;
  const asUser: Credentials = () => [`Authorization: Bearer ${user.access_token}`];
  const bySchemes: Readonly<Record<string, Credentials>> = {
    bearer: () => [`Authorization: Bearer ${serviceKey}`],
    project_key: () => [`apikey: ${serviceKey}`],
    admin: () => [`Authorization: Bearer ${adminToken}`],
  };
  return {
    known: (operation, name) => knownIn(values, operation, name),
    credentials: ({ path, security }: Operation) => {
      if (path.startsWith('/jobs/v1/hooks')) return [(body) => [host, hookSignature(body)]];
      if (path === '/auth/v1/user') return [asUser];
      const schemes = security.map((scheme) => bySchemes[Object.keys(scheme)[0] ?? '']);
      const known = schemes.map((scheme): Credentials => scheme ?? (() => [host]));
      return known.length === 0
        ? [() => []]
        : [...known, ...(path === '/auth/v1/token' ? [(): string[] => [`apikey: ${anonKey}`]] : [])];
    },
  };
}
