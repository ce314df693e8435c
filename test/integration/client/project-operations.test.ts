import { createClient } from '../../../client/src/index.js';
import type { ProjectClient } from '../../../client/src/index.js';
import { Client, PASSWORD } from '../../support/client.js';
import { methodsOf } from '../../support/client-surface.js';
import type { OpenApiDocument } from '../../support/client-types.js';
import { createProject } from '../../support/project-environment.js';
import type { TestProject } from '../../support/project-environment.js';
import { CHALLENGE, CREDENTIAL, ID, miscalled, notingFetch, operationsOf, SHARED_CALLS } from './calls.js';
import type { Calls } from './calls.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

const ACCOUNT = { email: 'ada@example.com', password: PASSWORD };
const PASSWORD_FORM = { token: 'token', password: PASSWORD };
const MAIL = { host: '127.0.0.1', port: 9, from: 'project@example.com', tls: 'none' } as const;
const TEMPLATE = { subject: 'Hello', html: '<a href="{{link}}">Here</a>', text: '{{link}}' };

/** Those of the service key first: a user who is signed in counts before it. */
const CALLS: Calls<ProjectClient> = {
  ...SHARED_CALLS,
  'users.list': ({ users }) => users.list().page(),
  'users.get': ({ users }) => users.get(ID),
  'users.update': ({ users }) => users.update(ID, { disabled: true }),
  'users.delete': ({ users }) => users.delete(ID),
  'users.import': ({ users }) => users.import([{ email: 'imported@example.com' }]),
  'users.create': ({ users }) => users.create({ email: 'new@example.com' }),
  'users.setPassword': ({ users }) => users.setPassword(ID, PASSWORD),
  'users.removePassword': ({ users }) => users.removePassword(ID),
  'users.sendMail': ({ users }) => users.sendMail(ID, 'recovery'),
  'users.audit': ({ users }) => users.audit(ID).page(),
  'users.sessions': ({ users }) => users.sessions(ID).page(),
  'users.endSession': ({ users }) => users.endSession(ID, ID),
  'users.factors': ({ users }) => users.factors(ID),
  'users.resetFactors': ({ users }) => users.resetFactors(ID),
  'users.endSessions': ({ users }) => users.endSessions(ID),
  'templates.get': ({ templates }) => templates.get('invite'),
  'templates.set': ({ templates }) => templates.set('invite', TEMPLATE),
  'templates.reset': ({ templates }) => templates.reset('invite'),
  'templates.list': ({ templates }) => templates.list(),
  'templates.preview': ({ templates }) => templates.preview('invite', { locale: 'ja' }),
  'brand.get': ({ brand }) => brand.get(),
  'brand.set': ({ brand }) => brand.set({ color: '#0842a0' }),
  'mail.set': ({ mail }) => mail.set(MAIL),
  'mail.get': ({ mail }) => mail.get(),
  'mail.test': ({ mail }) => mail.test('ada@example.com'),
  'mail.outbox': ({ mail }) => mail.outbox({ to: 'ada@example.com' }).page(),
  'mail.retry': ({ mail }) => mail.retry(ID),
  'mail.delete': ({ mail }) => mail.delete(),
  'auth.signInSettings': ({ auth }) => auth.signInSettings(),
  'auth.changeSignInSettings': ({ auth }) => auth.changeSignInSettings({ require_second_factor: false }),
  'auth.invite': ({ auth }) => auth.invite('grace@example.com'),
  'auth.acceptInvite': ({ auth }) => auth.acceptInvite(PASSWORD_FORM),
  'auth.signInWithMagicLink': ({ auth }) => auth.signInWithMagicLink('ada@example.com'),
  'auth.verify': ({ auth }) => auth.verify('token'),
  'auth.exchangeCode': ({ auth }) => auth.exchangeCode({ code: 'code' }),
  'auth.recover': ({ auth }) => auth.recover('ada@example.com'),
  'auth.completeRecovery': ({ auth }) => auth.completeRecovery(PASSWORD_FORM),
  'auth.keys': ({ auth }) => auth.keys(),
  'auth.signInWithOAuth': ({ auth }) => auth.signInWithOAuth('github'),
  'auth.signUp': ({ auth }) => auth.signUp(ACCOUNT),
  'auth.signIn': ({ auth }) => auth.signIn(ACCOUNT),
  'auth.session': ({ auth }) => auth.session(),
  'auth.onChange': ({ auth }) => {
    auth.onChange(() => undefined)();
  },
  'auth.refresh': ({ auth }) => auth.refresh(),
  'auth.user': ({ auth }) => auth.user(),
  'auth.update': ({ auth }) => auth.update({ locale: 'de' }),
  'auth.completeSignIn': ({ auth }) => auth.completeSignIn({ challenge_token: 'token', code: '000000' }),
  'auth.changeEmail': ({ auth }) => auth.changeEmail('new@example.com'),
  'auth.completeEmailChange': ({ auth }) => auth.completeEmailChange('token'),
  'auth.factors.list': ({ auth }) => auth.factors.list(),
  'auth.factors.addTotp': ({ auth }) => auth.factors.addTotp('Phone'),
  'auth.factors.confirmTotp': ({ auth }) => auth.factors.confirmTotp(ID, '000000'),
  'auth.factors.addPasskey': ({ auth }) => auth.factors.addPasskey('Laptop'),
  'auth.factors.passkeyOptions': ({ auth }) => auth.factors.passkeyOptions(),
  'auth.factors.finishPasskey': ({ auth }) => auth.factors.finishPasskey('Laptop', CREDENTIAL),
  'auth.factors.reauthenticateWithPasskey': ({ auth }) => auth.factors.reauthenticateWithPasskey(),
  'auth.factors.reauthenticationOptions': ({ auth }) => auth.factors.reauthenticationOptions(),
  'auth.signInWithPasskey': ({ auth }) => auth.signInWithPasskey(),
  'auth.completeSignInWithPasskey': ({ auth }) => auth.completeSignInWithPasskey(CHALLENGE),
  'auth.enrolment.addTotp': ({ auth }) => auth.enrolment.addTotp('token', 'Phone'),
  'auth.enrolment.confirmTotp': ({ auth }) =>
    auth.enrolment.confirmTotp({ token: 'token', id: ID, code: '000000' }),
  'auth.enrolment.addPasskey': ({ auth }) => auth.enrolment.addPasskey('token', 'Laptop'),
  'auth.enrolment.passkeyOptions': ({ auth }) => auth.enrolment.passkeyOptions('token'),
  'auth.enrolment.finishPasskey': ({ auth }) =>
    auth.enrolment.finishPasskey({ token: 'token', name: 'Laptop', credential: CREDENTIAL }),
  'auth.factors.rename': ({ auth }) => auth.factors.rename(ID, 'Phone'),
  'auth.factors.remove': ({ auth }) => auth.factors.remove(ID),
  'auth.factors.renewRecoveryCodes': ({ auth }) => auth.factors.renewRecoveryCodes(),
  'auth.factors.reauthenticate': ({ auth }) => auth.factors.reauthenticate({ code: '000000' }),
  'auth.sessions': ({ auth }) => auth.sessions().page(),
  'auth.revokeSession': ({ auth }) => auth.revokeSession(ID),
  'auth.revokeOtherSessions': ({ auth }) => auth.revokeOtherSessions(),
  'auth.signOut': ({ auth }) => auth.signOut(),
  'pages.invite': ({ pages }) => pages.invite('acme', 'token'),
  'pages.submitInvite': ({ pages }) => pages.submitInvite('acme', PASSWORD_FORM),
  'pages.changeEmail': ({ pages }) => pages.changeEmail('acme', 'token'),
  'pages.submitChangeEmail': ({ pages }) => pages.submitChangeEmail('acme', 'token'),
  'pages.magicLink': ({ pages }) => pages.magicLink('acme', 'token'),
  'pages.submitMagicLink': ({ pages }) => pages.submitMagicLink('acme', 'token'),
  'pages.sendNewLink': ({ pages }) => pages.sendNewLink('acme', 'token'),
  'pages.recover': ({ pages }) => pages.recover('acme', 'token'),
  'pages.submitRecover': ({ pages }) => pages.submitRecover('acme', PASSWORD_FORM),
  'audit.list': ({ audit }) => audit.list().page(),
  'audit.export': ({ audit }) => audit.export(),
  'audit.verify': ({ audit }) => audit.verify(),
  'admin.mail.list': ({ admin }) => admin.mail.list().page(),
  'admin.mail.retry': ({ admin }) => admin.mail.retry(ID),
  'admin.audit.list': ({ admin }) => admin.audit.list().page(),
  'admin.audit.export': ({ admin }) => admin.audit.export(),
  'admin.users.import': ({ admin }) =>
    admin.users.import([{ email: 'imported@example.com', project: 'acme' }]),
  'admin.projects.list': ({ admin }) => admin.projects.list().page(),
  'admin.projects.create': ({ admin }) => admin.projects.create({ ref: 'acme', name: 'Acme' }),
  'admin.projects.get': ({ admin }) => admin.projects.get('acme'),
  'admin.projects.update': ({ admin }) => admin.projects.update('acme', { name: 'Acme Inc.' }),
  'admin.projects.rotateKey': ({ admin }) => admin.projects.rotateKey('acme', 'anon'),
  'admin.projects.delete': ({ admin }) => admin.projects.delete('acme'),
};

describe('the client of a project', () => {
  let program: SharedProgram;
  let document: OpenApiDocument;
  let project: TestProject;

  beforeAll(async () => {
    program = await sharedProgram('project');
    document = (await new Client(program.url).get<unknown>('/openapi.json')).body as OpenApiDocument;
    project = await createProject(program.url, program.adminToken);
  });
  it('has no method that is not called here', () => {
    const client = createClient({ url: program.url, apikey: project.anonKey });
    expect(Object.keys(CALLS).sort()).toEqual(methodsOf(client).sort());
  });

  it('reaches all operations of the OpenAPI document, and no others', async () => {
    const asked = new Set<string>();
    const client = createClient({
      url: program.url,
      apikey: project.serviceKey,
      adminToken: program.adminToken,
      retries: 0,
      fetch: notingFetch(document, asked),
    });
    expect(await miscalled(CALLS, client)).toEqual([]);
    expect([...asked].sort()).toEqual(operationsOf(document).sort());
  });

  it('signs up with the anon key, refreshes and signs out', async () => {
    const client = createClient({ url: program.url, apikey: project.anonKey });
    const { user, session } = await client.auth.signUp({ email: 'grace@example.com', password: PASSWORD });
    expect(user).toEqual({ id: expect.any(String), email: 'grace@example.com' });
    const refreshed = await client.auth.refresh();
    expect(refreshed.user).toEqual(user);
    expect(refreshed.refresh_token).not.toBe(session.refresh_token);
    expect(await client.auth.user()).toEqual(user);
    await client.auth.signOut();
    await expect(client.auth.user()).rejects.toMatchObject({ status: 401 });
    await expect(client.users.list().page()).rejects.toMatchObject({ code: 'project_key_required' });
  });

  it('keeps the sessions of two projects apart', async () => {
    const other = await createProject(program.url, program.adminToken);
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => Promise.resolve(kept.get(key) ?? null),
      setItem: (key: string, value: string) => Promise.resolve(kept.set(key, value)),
      removeItem: (key: string) => Promise.resolve(kept.delete(key)),
    };
    const credentials = { email: 'both@example.com', password: PASSWORD };
    const ids = new Set<string>();
    for (const { anonKey } of [project, other]) {
      const client = createClient({ url: program.url, apikey: anonKey, storage });
      ids.add((await client.auth.signUp(credentials)).user.id);
    }
    expect([ids.size, kept.size]).toEqual([2, 2]);
  });
});
