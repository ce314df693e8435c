import { createClient } from '../../../client/src/index.js';
import type { OrganizationClient } from '../../../client/src/index.js';
import { Client, PASSWORD } from '../../support/client.js';
import { methodsOf } from '../../support/client-surface.js';
import type { OpenApiDocument } from '../../support/client-types.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { CHALLENGE, CREDENTIAL, ID, miscalled, notingFetch, operationsOf, SHARED_CALLS } from './calls.js';
import type { Calls } from './calls.js';

const TEMPLATE = { subject: 'In', html: '{{link}}', text: '{{link}}' };
const ADMIN_TOKEN = 'operator-token-of-this-suite';
const HERE = { org: 'acme' };
const ACCOUNT = { email: 'ada@example.com', password: PASSWORD };
const PASSWORD_FORM = { token: 'token', password: PASSWORD };

/** Each method of the client, called once. */
const CALLS: Calls<OrganizationClient> = {
  inOrg: (client) => client.inOrg('acme'),
  'auth.signUp': (client) => client.auth.signUp(ACCOUNT),
  'auth.signIn': (client) => client.auth.signIn(ACCOUNT),
  'auth.session': (client) => client.auth.session(),
  'auth.onChange': (client) => {
    client.auth.onChange(() => undefined)();
  },
  'auth.refresh': (client) => client.auth.refresh(),
  'auth.user': (client) => client.auth.user(),
  'auth.update': (client) => client.auth.update({ metadata: {} }),
  'auth.audit': (client) => client.auth.audit().page(),
  'auth.completeSignIn': (client) => client.auth.completeSignIn({ challenge_token: 'token', code: '000000' }),
  'auth.exchangeCode': (client) => client.auth.exchangeCode({ code: 'code' }),
  'auth.changeEmail': (client) => client.auth.changeEmail('new@example.com'),
  'auth.completeEmailChange': (client) => client.auth.completeEmailChange('token'),
  'auth.factors.list': (client) => client.auth.factors.list(),
  'auth.factors.addTotp': (client) => client.auth.factors.addTotp('Phone'),
  'auth.factors.confirmTotp': (client) => client.auth.factors.confirmTotp(ID, '000000'),
  'auth.factors.addPasskey': (client) => client.auth.factors.addPasskey('Laptop'),
  'auth.factors.passkeyOptions': (client) => client.auth.factors.passkeyOptions(),
  'auth.factors.finishPasskey': (client) => client.auth.factors.finishPasskey('Laptop', CREDENTIAL),
  'auth.factors.reauthenticateWithPasskey': (client) => client.auth.factors.reauthenticateWithPasskey(),
  'auth.factors.reauthenticationOptions': (client) => client.auth.factors.reauthenticationOptions(),
  'auth.signInWithPasskey': (client) => client.auth.signInWithPasskey(),
  'auth.completeSignInWithPasskey': (client) => client.auth.completeSignInWithPasskey(CHALLENGE),
  'auth.factors.rename': (client) => client.auth.factors.rename(ID, 'Phone'),
  'auth.factors.remove': (client) => client.auth.factors.remove(ID),
  'auth.factors.renewRecoveryCodes': (client) => client.auth.factors.renewRecoveryCodes(),
  'auth.factors.reauthenticate': (client) => client.auth.factors.reauthenticate({ code: '000000' }),
  'auth.sessions': (client) => client.auth.sessions().page(),
  'auth.revokeSession': (client) => client.auth.revokeSession(ID),
  'auth.verify': (client) => client.auth.verify('token'),
  'auth.resendVerification': (client) => client.auth.resendVerification(),
  'auth.recover': (client) => client.auth.recover('ada@example.com'),
  'auth.completeRecovery': (client) => client.auth.completeRecovery(PASSWORD_FORM),
  'auth.keys': (client) => client.auth.keys(),
  'auth.delete': (client) => client.auth.delete('wrong'),
  'auth.signInWithOAuth': (client) => client.auth.signInWithOAuth('github'),
  'orgs.list': (client) => client.orgs.list(),
  'orgs.create': (client) => client.orgs.create({ slug: 'acme', name: 'Acme' }),
  'orgs.get': (client) => client.orgs.get('acme'),
  'orgs.update': (client) => client.orgs.update({ name: 'Acme' }, HERE),
  'orgs.audit': (client) => client.orgs.audit(HERE).page(),
  'orgs.exportAudit': (client) => client.orgs.exportAudit({ format: 'csv', ...HERE }),
  'orgs.verifyAudit': (client) => client.orgs.verifyAudit(HERE),
  'members.list': (client) => client.members.list(HERE).page(),
  'members.update': (client) => client.members.update(ID, { role: 'admin' }, HERE),
  'members.access': (client) => client.members.access(ID, 'data:orders:delete', HERE),
  'members.remove': (client) => client.members.remove(ID, HERE),
  'roles.list': (client) => client.roles.list(HERE).page(),
  'roles.create': (client) => client.roles.create({ name: 'reader', permissions: ['data:*:read'] }, HERE),
  'roles.get': (client) => client.roles.get('owner', HERE),
  'roles.holders': (client) => client.roles.holders('owner', HERE),
  'roles.update': (client) => client.roles.update('reader', { permissions: [] }, HERE),
  'roles.delete': (client) => client.roles.delete('reader', HERE),
  'invitations.list': (client) => client.invitations.list(HERE).page(),
  'invitations.create': (client) =>
    client.invitations.create({ email: 'a@example.com', role: 'member' }, HERE),
  'invitations.revoke': (client) => client.invitations.revoke(ID, HERE),
  'invitations.accept': (client) => client.invitations.accept(PASSWORD_FORM),
  'apiKeys.list': (client) => client.apiKeys.list(HERE).page(),
  'apiKeys.create': (client) => client.apiKeys.create({ name: 'key', permissions: ['data:*:read'] }, HERE),
  'apiKeys.revoke': (client) => client.apiKeys.revoke(ID, HERE),
  'permissions.get': (client) => client.permissions.get(),
  'permissions.can': (client) => client.permissions.can('data:orders:read'),
  'permissions.check': (client) => client.permissions.check(['data:orders:read']),
  'permissions.gate': (client) => client.permissions.gate('data:orders:read'),
  ...SHARED_CALLS,
  'pages.verify': (client) => client.pages.verify('token'),
  'pages.submitVerify': (client) => client.pages.submitVerify('token'),
  'pages.changeEmail': (client) => client.pages.changeEmail('token'),
  'pages.submitChangeEmail': (client) => client.pages.submitChangeEmail('token'),
  'pages.sendNewLink': (client) => client.pages.sendNewLink('token'),
  'pages.recover': (client) => client.pages.recover('token'),
  'pages.submitRecover': (client) => client.pages.submitRecover(PASSWORD_FORM),
  'pages.invitation': (client) => client.pages.invitation('token'),
  'pages.submitInvitation': (client) => client.pages.submitInvitation(PASSWORD_FORM),
  'admin.users.list': (client) => client.admin.users.list().page(),
  'admin.users.get': (client) => client.admin.users.get(ID),
  'admin.users.update': (client) => client.admin.users.update(ID, { disabled: false }),
  'admin.users.import': (client) => client.admin.users.import([{ email: 'imported@example.com' }]),
  'admin.users.create': (client) => client.admin.users.create({ email: 'new@example.com' }),
  'admin.users.setPassword': (client) => client.admin.users.setPassword(ID, PASSWORD),
  'admin.users.removePassword': (client) => client.admin.users.removePassword(ID),
  'admin.users.sendMail': (client) => client.admin.users.sendMail(ID, 'recovery'),
  'admin.users.organizations': (client) => client.admin.users.organizations(ID).page(),
  'admin.users.apiKeys': (client) => client.admin.users.apiKeys(ID).page(),
  'admin.users.revokeApiKey': (client) => client.admin.users.revokeApiKey(ID, '4fGk29Qz'),
  'admin.users.audit': (client) => client.admin.users.audit(ID).page(),
  'admin.orgs.members.list': (client) => client.admin.orgs.members.list('acme').page(),
  'admin.orgs.members.set': (client) => client.admin.orgs.members.set('acme', ID, { role: 'owner' }),
  'admin.orgs.members.remove': (client) => client.admin.orgs.members.remove('acme', ID),
  'admin.users.sessions': (client) => client.admin.users.sessions(ID).page(),
  'admin.users.endSession': (client) => client.admin.users.endSession(ID, ID),
  'admin.users.factors': (client) => client.admin.users.factors(ID),
  'admin.users.resetFactors': (client) => client.admin.users.resetFactors(ID),
  'admin.users.endSessions': (client) => client.admin.users.endSessions(ID),
  'admin.orgs.list': (client) => client.admin.orgs.list().page(),
  'admin.orgs.get': (client) => client.admin.orgs.get('acme'),
  'admin.orgs.update': (client) => client.admin.orgs.update('acme', { name: 'Acme' }),
  'admin.orgs.delete': (client) => client.admin.orgs.delete('acme'),
  'admin.orgs.create': (client) =>
    client.admin.orgs.create({ slug: 'acme', name: 'Acme', ownerEmail: 'ada@example.com' }),
  'admin.signingKeys.list': (client) => client.admin.signingKeys.list().page(),
  'admin.signingKeys.rotate': (client) => client.admin.signingKeys.rotate(),
  'admin.mail.list': (client) => client.admin.mail.list({ state: 'failed' }).page(),
  'admin.mail.retry': (client) => client.admin.mail.retry(ID),
  'admin.templates.list': (client) => client.admin.templates.list(),
  'admin.templates.get': (client) => client.admin.templates.get('recovery', { locale: 'de' }),
  'admin.templates.set': (client) => client.admin.templates.set('recovery', TEMPLATE),
  'admin.templates.reset': (client) => client.admin.templates.reset('recovery'),
  'admin.templates.preview': (client) => client.admin.templates.preview('recovery', { locale: 'ja' }),
  'admin.brand.get': (client) => client.admin.brand.get(),
  'admin.brand.testMail': (client) => client.admin.brand.testMail('ada@example.com'),
  'admin.audit.list': (client) => client.admin.audit.list().page(),
  'admin.audit.export': (client) => client.admin.audit.export(),
  'orgs.delete': (client) => client.orgs.delete('acme'),
  'auth.signOut': (client) => client.auth.signOut(),
};

describe('the operations of the client', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let document: OpenApiDocument;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
    });
    document = (await new Client(service.url).get<unknown>('/openapi.json')).body as OpenApiDocument;
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('are called here to the last', () => {
    const client = createClient({ url: service.url });
    expect(Object.keys(CALLS).sort()).toEqual(methodsOf(client).sort());
  });

  it('are all operations of the OpenAPI document, and no others', async () => {
    const asked = new Set<string>();
    const client = createClient({
      url: service.url,
      org: 'acme',
      adminToken: ADMIN_TOKEN,
      retries: 0,
      fetch: notingFetch(document, asked),
    });
    expect(await miscalled(CALLS, client)).toEqual([]);
    expect([...asked].sort()).toEqual(operationsOf(document).sort());
  });
});
