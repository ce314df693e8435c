import { createHmac, randomBytes } from 'node:crypto';
import type { Client, RunBody } from '../../../support/client.js';
import { registerJobs, trigger } from '../../../support/runs.js';
import { until } from '../../../support/until.js';
import type { Operation } from './document.js';

/** Header lines that say who is calling; some depend on the body, which they sign. */
export type Credentials = (body: Buffer) => readonly string[];

/** What requests are made of that mean something to the program: an account, what it owns, and what it knows. */
export interface Ground {
  /** The ways in which an operation may be called, each good. */
  credentials(operation: Operation): readonly Credentials[];
  /** Good values of a parameter, or of a field of the body; none where any will do. */
  known(operation: Operation, name: string): readonly unknown[];
}

/** The good values of some names, for the operations whose names begin so. */
export type KnownValues = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

const HOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const HOOK_SECRET = 'fuzzed-hooks';
const HOOK_SECRET_PATH = 'webhooks/shop';
const HOUR_MS = 3_600_000;

export function knownIn(values: KnownValues, operation: Operation, name: string): readonly unknown[] {
  // What is said of the longest name holds.
  const matching = Object.entries(values)
    .filter(([prefix, named]) => operation.name.startsWith(prefix) && name in named)
    .sort(([one], [other]) => other.length - one.length);
  return matching[0]?.[1][name] ?? [];
}

export function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

/** Signs a hook's body. */
export function hookSignature(body: Buffer): string {
  return `X-Signature: ${createHmac('sha256', HOOK_SECRET).update(body).digest('hex')}`;
}

function require(status: number, wanted: number, what: string): void {
  if (status !== wanted) throw new Error(`${what} answered ${status}`);
}

/** Jobs, runs and secrets of a tenant, made as whoever may; and the good values that stand for them. */
export async function jobsGround(client: Client, tenant: string): Promise<KnownValues> {
  for (const path of [HOOK_SECRET_PATH, 'spare', 'github/webhook'])
    require((await client.send('PUT', `/vault/v1/secrets/${path}`, { value: HOOK_SECRET }))
      .status, 204, 'a secret');
  const verify = { type: 'hmac', header: 'X-Signature', secret: `vault:${HOOK_SECRET_PATH}` };
  const hookOf = (method: string): string => `${tenant}-${method.toLowerCase()}`;
  const hooks = HOOK_METHODS.map((method) => ({
    type: 'webhook',
    path: `/hooks/${hookOf(method)}`,
    method,
    verify,
  }));
  await registerJobs(client, {
    greet: { triggers: [{ type: 'cron', schedule: '0 6 * * *' }] },
    spare: {},
    hooked: { triggers: hooks },
  });
  const ended = await trigger(client, 'greet');
  const waiting = await trigger(client, 'greet', { delay_ms: HOUR_MS });
  await until(async () => {
    const { body } = await client.get<RunBody>(`/jobs/v1/runs/${ended.id}`);
    return body.status === 'completed';
  });
  const runs = [ended.id, waiting.id];
  return {
    '': {
      job_id: ['greet', 'spare'],
      handler: ['greet'],
      secret: [`vault:${HOOK_SECRET_PATH}`],
      table: ['public.orders'],
      columns: [['status']],
      timezone: ['UTC', 'Europe/Berlin'],
      jitter: [0.5],
      paused: [false],
      cursor: [],
      // A stream that has no end is no answer to wait for.
      follow: [false],
    },
    'GET /jobs/v1/runs/{id}/logs': { id: runs, follow: [false] },
    'GET /jobs/v1/runs': { id: runs },
    'POST /jobs/v1/runs/{id}/cancel': { id: [waiting.id] },
    'POST /jobs/v1/runs/{id}/retry': { id: [ended.id] },
    'GET /jobs/v1/jobs/{id}': { id: ['greet', 'hooked'] },
    'PATCH /jobs/v1/jobs/{id}': { id: ['greet'] },
    'POST /jobs/v1/jobs/{id}': { id: ['greet'] },
    'DELETE /jobs/v1/jobs/{id}': { id: ['spare'] },
    'POST /jobs/v1/jobs': {
      id: ['greet', 'spare', 'other'],
      path: HOOK_METHODS.map((method) => `/hooks/${hookOf(method)}-more`),
      // It would take the others away, and their hooks.
      prune: [false],
      initial_ms: [1000],
    },
    'GET /vault': { path: [HOOK_SECRET_PATH, 'spare'] },
    'PUT /vault': { path: ['spare', 'another/one'] },
    'DELETE /vault': { path: ['spare', 'github/webhook'] },
    ...Object.fromEntries(
      HOOK_METHODS.map((method) => [`${method} /jobs/v1/hooks`, { name: [hookOf(method)] }]),
    ),
  };
}
