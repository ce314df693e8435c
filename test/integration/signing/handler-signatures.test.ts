import { addMember } from '../../support/api-keys.js';
import { deleteTenant, signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { atInstant } from '../../support/clocks.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { answer, HandlerServer, isSignedWith } from '../../support/handler-server.js';
import type { HandlerCall } from '../../support/handler-server.js';
import { endedRun, registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';
import { itInOrganizations } from '../../support/profile.js';

const SECRET = '/jobs/v1/signing-secret';
const SECRET_FORM = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe('the signature of a handler call', () => {
  let environment: TestEnvironment;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let client: Client;

  beforeAll(async () => {
    [environment, handlers] = await Promise.all([createEnvironment(), HandlerServer.start()]);
    const variables: Record<string, string> = { ...environment.variables, ...handlers.variables };
    // A function's process needs the build; a handler elsewhere does here.
    delete variables.SERVICE_FUNCTIONS__DIR;
    service = await ServiceInProcess.start(variables);
  });

  afterAll(async () => {
    await service.stop();
    await handlers.stop();
    await environment.dispose();
  });

  beforeEach(async () => {
    owner = await signUpOwner(service.url);
    ({ client } = owner);
    await registerJobs(client, {
      signed: { retries: 1, retry_backoff: { type: 'exponential', initial_ms: 1, max_ms: 1, multiplier: 1 } },
    });
  });

  const secretOf = async (): Promise<string> => (await client.get<{ secret: string }>(SECRET)).body.secret;

  const rotate = async (): Promise<string> => {
    const { status, body } = await client.post<{ secret: string }>(`${SECRET}/rotate`);
    expect(status).toBe(200);
    return body.secret;
  };

  async function calls(payload: Record<string, unknown> = {}): Promise<HandlerCall[]> {
    const { id } = await trigger(client, 'signed', { payload });
    await endedRun(client, id);
    return handlers.callsOf(id);
  }

  async function oneCall(payload: Record<string, unknown> = {}): Promise<HandlerCall> {
    const [call] = await calls(payload);
    if (call === undefined) throw new Error('the handler was not called');
    return call;
  }

  function signaturesOf({ headers }: HandlerCall): string[] {
    return String(headers['webhook-signature']).split(' ');
  }

  it('verifies with the library of Standard Webhooks, under the run’s id, for each attempt', async () => {
    const secret = await secretOf();
    handlers.on('signed', (response, nth, call) => {
      answer(nth === 1 ? 503 : 200, { ok: true })(response, nth, call);
    });
    const before = Math.floor(Date.now() / 1000);
    const made = await calls({ text: 'Grüße 🌍', list: [1, 2, 3] });
    expect(made).toHaveLength(2);
    for (const call of made) {
      expect(isSignedWith(secret, call)).toBe(true);
      expect(call.headers['webhook-id']).toBe(call.runId);
      const signedAt = Number(call.headers['webhook-timestamp']);
      expect(signedAt).toBeGreaterThanOrEqual(before);
      expect(signedAt).toBeLessThanOrEqual(Math.ceil(call.at / 1000));
      expect(signaturesOf(call)).toHaveLength(1);
      expect(isSignedWith(secret, { ...call, body: call.body.replace('2', '3') })).toBe(false);
      const elsewhere = { ...call.headers, 'webhook-id': `${call.runId}x` };
      expect(isSignedWith(secret, { ...call, headers: elsewhere })).toBe(false);
    }
    handlers.on('signed', answer(200, { ok: true }));
  });

  it('also covers the empty default body', async () => {
    const call = await oneCall();
    expect(call.body).toBe('{}');
    expect(isSignedWith(await secretOf(), call)).toBe(true);
  });

  it('uses a secret that is created only once, even by simultaneous requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.get<{ secret: string }>(SECRET)),
    );
    const secrets = new Set(answers.map(({ body }) => body.secret));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect([...secrets]).toEqual([expect.stringMatching(SECRET_FORM)]);
    expect([await secretOf()]).toEqual([...secrets]);
    const other = await signUpOwner(service.url);
    const { body } = await other.client.get<{ secret: string }>(SECRET);
    expect(secrets).not.toContain(body.secret);
  });

  it('is made with the old and the new secret for 24 hours after a rotation', async () => {
    const old = await secretOf();
    await oneCall();
    const fresh = await rotate();
    expect(fresh).toMatch(SECRET_FORM);
    expect(fresh).not.toBe(old);
    expect(await secretOf()).toBe(fresh);
    let call = await oneCall();
    await until(async () => {
      call = await oneCall();
      return signaturesOf(call).length === 2;
    });
    expect([isSignedWith(old, call), isSignedWith(fresh, call)]).toEqual([true, true]);
    const [row] = await environment.database.query<{ hours: number }>(
      `SELECT extract(epoch FROM signs_until - now())::float8 / 3600 AS hours FROM signing_secrets
       WHERE tenant_id = $1 AND signs_until IS NOT NULL`,
      [owner.orgId],
    );
    expect(row?.hours).toBeGreaterThan(23.9);
    expect(row?.hours).toBeLessThanOrEqual(24);

    await environment.database.query(
      `UPDATE signing_secrets SET signs_until = now() WHERE tenant_id = $1 AND signs_until IS NOT NULL`,
      [owner.orgId],
    );
    await environment.database.query(`SELECT pg_notify('service_changes', $1)`, [
      `signing_secret:${owner.orgId}`,
    ]);
    await until(async () => {
      call = await oneCall();
      return signaturesOf(call).length === 1;
    });
    expect([isSignedWith(old, call), isSignedWith(fresh, call)]).toEqual([false, true]);
  });

  it('stops using an old secret when its time is over, without a notification', async () => {
    const old = await secretOf();
    const fresh = await rotate();
    await environment.database.query(
      `UPDATE signing_secrets SET signs_until = now() + interval '2 minutes'
       WHERE tenant_id = $1 AND signs_until IS NOT NULL`,
      [owner.orgId],
    );
    const call = await oneCall();
    expect([isSignedWith(old, call), isSignedWith(fresh, call)]).toEqual([true, true]);
    const later = await atInstant(service, new Date(Date.now() + 3 * 60_000), () => oneCall());
    expect([isSignedWith(old, later), isSignedWith(fresh, later)]).toEqual([false, true]);
  });

  it('stays short however often the secret is rotated, and simultaneous rotations leave one current secret', async () => {
    await secretOf();
    const rotated = await Promise.all(Array.from({ length: 16 }, () => rotate()));
    expect(new Set(rotated).size).toBe(rotated.length);
    expect(rotated).toContain(await secretOf());
    const current = await environment.database.query(
      'SELECT FROM signing_secrets WHERE tenant_id = $1 AND signs_until IS NULL',
      [owner.orgId],
    );
    expect(current).toHaveLength(1);
    const call = await oneCall();
    expect(signaturesOf(call)).toHaveLength(5);
    expect(isSignedWith(await secretOf(), call)).toBe(true);
  });

  it('costs an attempt no SQL once the secret is cached', async () => {
    const statements = await service.statementsOnceWarm(oneCall);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((sql) => sql.includes('signing_secrets'))).toEqual([]);
  });

  itInOrganizations(
    'uses a secret that jobs:secrets:read may read and jobs:secrets:write may rotate, and other attempts are recorded',
    async () => {
      const secret = await secretOf();
      const member = async (...permissions: string[]): Promise<Client> =>
        (await addMember(service.url, environment.database, owner.orgId, permissions)).client.in(owner.slug);
      const statuses = async (as: Client): Promise<number[]> => [
        (await as.get(SECRET)).status,
        (await as.post(`${SECRET}/rotate`)).status,
      ];
      expect(await statuses(await member('jobs:secrets:read'))).toEqual([200, 403]);
      expect(await statuses(await member('jobs:secrets:write'))).toEqual([403, 200]);
      expect(await statuses(await member('jobs:jobs:*'))).toEqual([403, 403]);
      const entries = await environment.database.query<{ action: string; actor_type: string }>(
        `SELECT action, actor_type FROM audit_entries
       WHERE org_id = $1 AND action LIKE 'signing\\_secret.%' ORDER BY position`,
        [owner.orgId],
      );
      expect(entries).toEqual([
        { action: 'signing_secret.created', actor_type: 'system' },
        { action: 'signing_secret.rotated', actor_type: 'user' },
      ]);
      for (const value of [secret, await secretOf()])
        for (const table of ['audit_entries', 'signing_secrets']) {
          const kept = await environment.database.query(
            `SELECT FROM ${table} line
           WHERE strpos(line::text, $1) > 0 OR strpos(line::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0`,
            [value],
          );
          expect([table, kept]).toEqual([table, []]);
        }
    },
  );

  it('is made by the new secret alone where the one that it replaced cannot be opened', async () => {
    await secretOf();
    await environment.database.query(
      `UPDATE signing_secrets SET sealed_secret = (
         SELECT set_byte(sealed_secret, length(sealed_secret) - 1, 255 - get_byte(sealed_secret, length(sealed_secret) - 1)))
       WHERE tenant_id = $1`,
      [owner.orgId],
    );
    const fresh = await rotate();
    const call = await oneCall();
    expect(signaturesOf(call)).toHaveLength(1);
    expect(isSignedWith(fresh, call)).toBe(true);
  });

  it('uses a secret that is deleted with its organization', async () => {
    await secretOf();
    expect(await deleteTenant(owner)).toBe(204);
    const left = await environment.database.query('SELECT FROM signing_secrets WHERE tenant_id = $1', [
      owner.orgId,
    ]);
    expect(left).toEqual([]);
  });
});
