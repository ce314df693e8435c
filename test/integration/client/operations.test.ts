import { createClient, ServiceError } from '../../../client/src/index.js';
import type { OrganizationClient } from '../../../client/src/index.js';
import { Client, PASSWORD } from '../../support/client.js';
import { methodsOf, OperationFinder } from '../../support/client-surface.js';
import type { OpenApiDocument } from '../../support/client-types.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const ID = '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11';
const HERE = { org: 'acme' };
const CREDENTIALS = { email: 'ada@example.com', password: PASSWORD };
const PASSWORD_FORM = { token: 'token', password: PASSWORD };

type Calls = Readonly<Record<string, (client: OrganizationClient) => unknown>>;

/** Each method of the client, called once. */
const CALLS: Calls = {
  inOrg: (client) => client.inOrg('acme'),
  'auth.signUp': (client) => client.auth.signUp(CREDENTIALS),
  'auth.signIn': (client) => client.auth.signIn(CREDENTIALS),
  'auth.session': (client) => client.auth.session(),
  'auth.onChange': (client) => {
    client.auth.onChange(() => undefined)();
  },
  'auth.refresh': (client) => client.auth.refresh(),
  'auth.user': (client) => client.auth.user(),
  'auth.update': (client) => client.auth.update({ metadata: {} }),
  'auth.audit': (client) => client.auth.audit().page(),
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
  'members.list': (client) => client.members.list(HERE).page(),
  'members.update': (client) => client.members.update(ID, { role: 'admin' }, HERE),
  'members.remove': (client) => client.members.remove(ID, HERE),
  'roles.list': (client) => client.roles.list(HERE).page(),
  'roles.create': (client) => client.roles.create({ name: 'reader', permissions: ['data:*:read'] }, HERE),
  'roles.get': (client) => client.roles.get('owner', HERE),
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
  'jobs.register': (client) => client.jobs.register({ jobs: [] }),
  'jobs.list': (client) => client.jobs.list().page(),
  'jobs.get': (client) => client.jobs.get('greet'),
  'jobs.pause': (client) => client.jobs.pause('greet'),
  'jobs.resume': (client) => client.jobs.resume('greet'),
  'jobs.delete': (client) => client.jobs.delete('greet'),
  'jobs.next': (client) => client.jobs.next('greet'),
  'jobs.trigger': (client) => client.jobs.trigger('greet', { name: 'Ada' }),
  'runs.list': (client) => client.runs.list().page(),
  'runs.get': (client) => client.runs.get('run_0'),
  'runs.cancel': (client) => client.runs.cancel('run_0'),
  'runs.retry': (client) => client.runs.retry('run_0'),
  'runs.wait': (client) => client.runs.wait('run_0'),
  'logs.list': async (client) => {
    await client.logs.list().page();
    await client.logs.list({ runId: 'run_0' }).page();
  },
  'logs.follow': (client) => client.logs.follow({ runId: 'run_0' }).next(),
  'vault.list': (client) => client.vault.list().page(),
  'vault.get': (client) => client.vault.get('github/webhook'),
  'vault.set': (client) => client.vault.set('github/webhook', 'value'),
  'vault.delete': (client) => client.vault.delete('github/webhook'),
  'signingSecret.get': (client) => client.signingSecret.get(),
  'signingSecret.rotate': (client) => client.signingSecret.rotate(),
  'hooks.call': async (client) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
      await client.hooks.call('orders', { method }).catch(refusal);
  },
  'pages.verify': (client) => client.pages.verify('token'),
  'pages.submitVerify': (client) => client.pages.submitVerify('token'),
  'pages.recover': (client) => client.pages.recover('token'),
  'pages.submitRecover': (client) => client.pages.submitRecover(PASSWORD_FORM),
  'pages.invitation': (client) => client.pages.invitation('token'),
  'pages.submitInvitation': (client) => client.pages.submitInvitation(PASSWORD_FORM),
  'health.check': (client) => client.health.check(),
  'health.live': (client) => client.health.live(),
  'health.ready': (client) => client.health.ready(),
  'admin.users.list': (client) => client.admin.users.list().page(),
  'admin.users.get': (client) => client.admin.users.get(ID),
  'admin.users.update': (client) => client.admin.users.update(ID, { disabled: false }),
  'admin.orgs.list': (client) => client.admin.orgs.list().page(),
  'admin.signingKeys.list': (client) => client.admin.signingKeys.list().page(),
  'admin.signingKeys.rotate': (client) => client.admin.signingKeys.rotate(),
  'orgs.delete': (client) => client.orgs.delete('acme'),
  'auth.signOut': (client) => client.auth.signOut(),
};

/** No call of these refers to anything that there is: a refusal is as good as an answer. */
function refusal(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}

/** What a call is told that is not made as its operation demands. */
const MISCALLED = [
  'bad_request',
  'invalid_json',
  'invalid_admin_token',
  'method_not_allowed',
  'not_found',
  'org_required',
  'unauthenticated',
  'validation_failed',
];

/** A rejection also where the call throws at once. */
async function called(call: () => unknown): Promise<void> {
  await call();
}

describe('the operations of the client', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let document: OpenApiDocument;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_ADMIN__TOKEN: 'operator-token-of-this-suite',
    });
    document = (await new Client(service.url).get<unknown>('/openapi.json')).body as OpenApiDocument;
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('are called here to the last', () => {
    const client = createClient({ url: service.url });
    expect(Object.keys(CALLS).sort()).toEqual(methodsOf(client).sort());
  });

  it('are all operations of the OpenAPI document, and no others', async () => {
    const finder = new OperationFinder(Object.keys(document.paths));
    const asked = new Set<string>();
    const client = createClient({
      url: service.url,
      org: 'acme',
      adminToken: 'operator-token-of-this-suite',
      retries: 0,
      fetch: async (url, init) => {
        asked.add(finder.of(init.method ?? 'GET', url));
        return await fetch(url, init);
      },
    });
    const codes: [string, string][] = [];
    for (const [name, call] of Object.entries(CALLS))
      await called(() => call(client)).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        codes.push([name, error.code]);
      });
    expect(codes.filter(([, code]) => MISCALLED.includes(code))).toEqual([]);
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...asked].sort()).toEqual(documented.sort());
  });
});
