import { ServiceError } from '../../../client/src/index.js';
import type { OrganizationClient, PasskeyCredential, ProjectClient } from '../../../client/src/index.js';
import { OperationFinder } from '../../support/client-surface.js';
import type { OpenApiDocument } from '../../support/client-types.js';
import { fetch } from '../../support/fetch.js';

export const ID = '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11';

/** What a browser might have made; the service refuses it. */
export const CREDENTIAL: PasskeyCredential = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
  clientExtensionResults: {},
};

/** Of a sign-in by an account without a passkey. */
export const CHALLENGE = { token: 'token', factors: ['totp'], expires_at: '2030-01-01T00:00:00.000Z' };

const ATTEMPT = { runId: 'run_0', attempt: 1 };

/** Methods of a client, each called once. */
export type Calls<AClient> = Readonly<Record<string, (client: AClient) => unknown>>;

/** What both profiles have. */
export const SHARED_CALLS: Calls<OrganizationClient | ProjectClient> = {
  'jobs.register': ({ jobs }) => jobs.register({ jobs: [] }),
  'jobs.list': ({ jobs }) => jobs.list().page(),
  'jobs.get': ({ jobs }) => jobs.get('greet'),
  'jobs.pause': ({ jobs }) => jobs.pause('greet'),
  'jobs.resume': ({ jobs }) => jobs.resume('greet'),
  'jobs.delete': ({ jobs }) => jobs.delete('greet'),
  'jobs.pauseAll': ({ jobs }) => jobs.pauseAll({ ids: [] }),
  'jobs.resumeAll': ({ jobs }) => jobs.resumeAll({ ids: [] }),
  'jobs.next': ({ jobs }) => jobs.next('greet'),
  'jobs.webhooks': ({ jobs }) => jobs.webhooks('greet'),
  'jobs.schedule': ({ jobs }) => jobs.schedule().page(),
  'jobs.trigger': ({ jobs }) => jobs.trigger('greet', { name: 'Ada' }),
  'jobs.triggerBatch': ({ jobs }) =>
    jobs.triggerBatch('greet', [{ payload: { name: 'Ada' }, runAt: new Date() }, { delayMs: 1 }]),
  'runs.list': ({ runs }) => runs.list().page(),
  'runs.get': ({ runs }) => runs.get('run_0'),
  'runs.steps': ({ runs }) => runs.steps('run_0'),
  'runs.step': ({ runs }) => runs.step('run_0', 'charge'),
  'runs.queue': ({ runs }) => runs.queue(),
  'runs.stats': ({ runs }) => runs.stats(),
  'runs.cancel': ({ runs }) => runs.cancel('run_0', { children: true }),
  'runs.retry': ({ runs }) => runs.retry('run_0', { payload: { name: 'Ada' } }),
  'runs.retryAll': ({ runs }) => runs.retryAll({ status: 'failed' }, { dryRun: true }),
  'runs.cancelAll': ({ runs }) => runs.cancelAll({ status: 'queued' }, { dryRun: true }),
  'runs.operation': ({ runs }) => runs.operation('01a20766-598a-72da-9300-bb980ab722b9'),
  'runs.wait': ({ runs }) => runs.wait('run_0'),
  'attempts.complete': ({ attempts }) => attempts.complete(ATTEMPT, { ok: true }),
  'attempts.fail': ({ attempts }) => attempts.fail(ATTEMPT, { error: 'no', fatal: true, retryAfterMs: 1 }),
  'attempts.heartbeat': ({ attempts }) => attempts.heartbeat(ATTEMPT),
  'attempts.step': ({ attempts }) => attempts.step(ATTEMPT, 'charge', () => 1),
  'attempts.keepStep': ({ attempts }) => attempts.keepStep(ATTEMPT, 'charge', 1),
  'attempts.log': ({ attempts }) => attempts.log(ATTEMPT, [{ level: 'info', message: 'on it' }]),
  'logs.list': async ({ logs }) => {
    await logs.list().page();
    await logs.list({ runId: 'run_0' }).page();
  },
  'logs.follow': ({ logs }) => logs.follow({ runId: 'run_0' }).next(),
  'vault.list': ({ vault }) => vault.list().page(),
  'vault.get': ({ vault }) => vault.get('github/webhook'),
  'vault.set': ({ vault }) => vault.set('github/webhook', 'value'),
  'vault.delete': ({ vault }) => vault.delete('github/webhook'),
  'signingSecret.get': ({ signingSecret }) => signingSecret.get(),
  'signingSecret.rotate': ({ signingSecret }) => signingSecret.rotate(),
  'hooks.call': async ({ hooks }) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
      await hooks.call('orders', { method }).catch(() => undefined);
  },
  'admin.deployment.queue': ({ admin }) => admin.deployment.queue(),
  'admin.deployment.instances': ({ admin }) => admin.deployment.instances(),
  'admin.deployment.operators': ({ admin }) => admin.deployment.operators(),
  'admin.deployment.signIns': ({ admin }) => admin.deployment.signIns({ interval: '1h' }),
  'admin.settings.list': ({ admin }) => admin.settings.list(),
  'health.check': ({ health }) => health.check(),
  'health.live': ({ health }) => health.live(),
  'health.ready': ({ health }) => health.ready(),
};

/** What a call is told that is not made as its operation demands. */
const MISCALLED = new Set([
  'bad_request',
  'invalid_admin_token',
  'invalid_json',
  'method_not_allowed',
  'not_found',
  'org_required',
  'project_key_required',
  'project_required',
  'unauthenticated',
  'validation_failed',
]);

/** The calls that were not made as their operation demands; others may find nothing that they speak of. */
export async function miscalled<AClient>(calls: Calls<AClient>, client: AClient): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call(client);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (MISCALLED.has(error.code)) wrong.push(`${name}: ${error.code}`);
    }
  }
  return wrong;
}

/** A fetch that notes which operations of the document are asked for. */
export function notingFetch(
  document: OpenApiDocument,
  asked: Set<string>,
): (url: string, init: RequestInit) => Promise<Response> {
  const finder = new OperationFinder(Object.keys(document.paths));
  return async (url, init) => {
    asked.add(finder.of(init.method ?? 'GET', url));
    return await fetch(url, init);
  };
}

/**
 * Prometheus scrapes metrics, verifiers of OpenID providers look for keys, proxies ask the gate in their clients' words,
 * and the pages of the console have a session of their own.
 */
const OF_OTHER_PROGRAMS =
  /^(?:GET \/metrics|\w+ \/console\/session(?:\/.*)?|GET \/\.well-known\/.*|(?!GET )\w+ \/auth\/v1\/gate|\w+ \/auth\/v1\/gate\/.*)$/;

/** All operations of a document that users of the client need, as `GET /jobs/v1/runs`. */
export function operationsOf(document: OpenApiDocument): string[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return all.filter((name) => !OF_OTHER_PROGRAMS.test(name));
}
