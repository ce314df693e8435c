import { randomBytes } from 'node:crypto';
import { PASSWORD, signUp, signUpOwner } from '../support/client.js';
import type { Client } from '../support/client.js';
import { importLines } from '../support/imports.js';
import { registerJobs } from '../support/runs.js';
import { sharedProgram } from '../support/shared-program.js';
import type { SharedProgram } from '../support/shared-program.js';
import { Client as Caller } from '../support/client.js';
import { fetch } from '../support/fetch.js';

/** Each would be another text after JSON.parse and JSON.stringify, and most after jsonb too. */
const OBJECTS = [
  '{"id":1983516295378495150,"x":1.10}',
  '{"whole":1.0,"power":1E2,"small":1e-7,"large":1e400}',
  '{"zero":-0,"also":-0.0}',
  '{"2":"b","1":"a"}',
  '{"nested":[{"n":[0.1000,12345678901234567890.10]}]}',
  '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}',
  '{"escaped":"\\u00e9\\/\\u003c","text":"1.10, \\"x\\":1.0"}',
];

let program: SharedProgram;

beforeAll(async () => {
  program = await sharedProgram();
});

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

/** Sends JSON as it is written here. @returns the text of the answer */
async function send(client: Client, method: string, path: string, body?: string): Promise<string> {
  const headers = {
    ...client.headers,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(`${client.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  expect([response.status < 300, text]).toEqual([true, text]);
  return text;
}

describe.each(OBJECTS)('the JSON %s', (object) => {
  it('is the metadata of an account as it was written: at sign-up, in the profile and after another patch', async () => {
    const email = freshAddress();
    const account = `{"email":"${email}","password":"${PASSWORD}","metadata": ${object} }`;
    const anonymous = new Caller(program.url);
    const signedUp = await send(anonymous, 'POST', '/auth/v1/signup', account);
    expect(signedUp).toContain(`"metadata":${object}`);
    const { session } = JSON.parse(signedUp) as { session: { access_token: string } };
    const user = anonymous.as(session.access_token);
    expect(await send(user, 'GET', '/auth/v1/user')).toContain(`"metadata":${object}`);
    const patched = await send(
      user,
      'PATCH',
      '/auth/v1/user',
      `{"metadata":{"later":${object},"gone":null}}`,
    );
    expect(patched).toContain(`"metadata":${object.slice(0, -1)},"later":${object}}`);
  });

  it('is the metadata of an account that the operator creates or imports', async () => {
    const operator = new Caller(program.url).as(program.adminToken);
    const email = freshAddress();
    const created = await send(
      operator,
      'POST',
      '/admin/v1/users',
      `{"email":"${email}","metadata":${object}}`,
    );
    expect(created).toContain(`"metadata":${object}`);
    const imported = freshAddress();
    const report = await importLines(operator, '/admin/v1/users/import', [
      `{"email":"${imported}","metadata":${object}}`,
    ]);
    expect(report.body).toMatchObject({ created: 1, problems: [] });
    expect(await send(operator, 'GET', `/admin/v1/users?email=${imported}`)).toContain(
      `"metadata":${object}`,
    );
  });

  it('is the payload of a schedule, in the job and for its runs, and not changed by a pause', async () => {
    await program.deploy(
      'echo',
      'export default (request) => request.json().then((body) => Response.json(body))',
    );
    const { client, orgId } = await signUpOwner(program.url);
    const triggers = `[{"type":"cron","schedule":"0 0 1 1 *","payload":${object}}]`;
    const manifest = `{"jobs":[{"id":"yearly","name":"Yearly","handler":"echo","triggers":${triggers}}]}`;
    expect(await send(client, 'POST', '/jobs/v1/jobs', manifest)).toContain('created');
    expect(await send(client, 'POST', '/jobs/v1/jobs', manifest)).toContain('unchanged');
    for (const paused of [true, false])
      await send(client, 'PATCH', '/jobs/v1/jobs/yearly', `{"paused":${paused}}`);
    expect(await send(client, 'GET', '/jobs/v1/jobs/yearly')).toContain(`"payload":${object}`);
    const kept = await program.database.query<{ payload: string }>(
      'SELECT payload::text FROM cron_triggers WHERE tenant_id = $1',
      [orgId],
    );
    expect(kept).toEqual([{ payload: object }]);
    await send(client, 'DELETE', '/jobs/v1/jobs/yearly');
  });

  it('is the payload of triggers, alone and in a batch', async () => {
    await program.deploy(
      'echo',
      'export default (request) => request.json().then((body) => Response.json(body))',
    );
    const { client } = await signUpOwner(program.url);
    await send(client, 'POST', '/jobs/v1/jobs', '{"jobs":[{"id":"echo","name":"Echo","handler":"echo"}]}');
    const later = '"delay_ms":3600000';
    const one = await send(client, 'POST', '/jobs/v1/jobs/echo/trigger', `{"payload":${object},${later}}`);
    const batch = await send(
      client,
      'POST',
      '/jobs/v1/jobs/echo/trigger/batch',
      `{"items":[{${later},"payload":${object}}]}`,
    );
    const ids = [
      (JSON.parse(one) as { id: string }).id,
      ...(JSON.parse(batch) as { runs: { id: string }[] }).runs.map(({ id }) => id),
    ];
    for (const id of ids) {
      expect(await send(client, 'GET', `/jobs/v1/runs/${id}`)).toContain(`"payload":${object}`);
      await send(client, 'POST', `/jobs/v1/runs/${id}/cancel`, '{}');
    }
  });
});

it('has users found by a name among metadata that is kept as text', async () => {
  const user = await signUp(program.url);
  const name = `Grace ${randomBytes(6).toString('hex')}`;
  await send(user.client, 'PATCH', '/auth/v1/user', `{"metadata":{"name":"${name}","n":1.50}}`);
  const operator = new Caller(program.url).as(program.adminToken);
  expect(await send(operator, 'GET', `/admin/v1/users?search=${encodeURIComponent(name)}`)).toContain(
    user.userId,
  );
});

describe('a name that an object of a request has twice', () => {
  let owner: Client;

  beforeAll(async () => {
    ({ client: owner } = await signUpOwner(program.url));
    await program.deploy('repeats', 'export default () => new Response()');
    await registerJobs(owner, { repeats: {} });
  });

  async function refusalOf(method: string, path: string, body: string): Promise<unknown> {
    const response = await fetch(`${program.url}${path}`, {
      method,
      headers: { ...owner.headers, 'content-type': 'application/json' },
      body,
    });
    const { error } = (await response.json()) as { error?: { code: string; message: string } };
    return [response.status, error?.code, error?.message];
  }

  it.each([
    ['POST', '/jobs/v1/jobs/repeats/trigger', '{"payload":{"a":1},"payload":{"a":2}}', 'payload'],
    ['POST', '/jobs/v1/jobs/repeats/trigger', '{"delay_ms":1,"payload":{},"delay_\\u006ds":2}', 'delay_ms'],
    [
      'POST',
      '/jobs/v1/jobs/repeats/trigger/batch',
      '{"items":[{},{"idempotency_key":"a","payload":{"x":1,"x":2},"idempotency_key":"b"}]}',
      'items[1].idempotency_key',
    ],
    ['PATCH', '/auth/v1/user', '{"metadata":{"a":{"b":1,"b":2}}}', 'metadata.a.b'],
    ['POST', '/jobs/v1/jobs', '{"jobs":[{"id":"x","name":"x","id":"y"}]}', 'jobs[0].id'],
    [
      'POST',
      '/jobs/v1/runs/bulk',
      '{"action":"retry","filter":{"payload":{"a":1,"a":2}}}',
      'filter.payload.a',
    ],
  ])('is refused: %s %s %s', async (method, path, body, place) => {
    expect(await refusalOf(method, path, body)).toEqual([
      400,
      'invalid_json',
      `The body names ${place} twice; a name occurs once in an object.`,
    ]);
  });

  it('is refused in a line of an import', async () => {
    const operator = new Caller(program.url).as(program.adminToken);
    const line = `{"email":"${freshAddress()}","metadata":{"a":1,"a":2}}`;
    const { body } = await importLines(operator, '/admin/v1/users/import', [line]);
    expect(body.problems.map(({ message }) => message)).toEqual(['The line names metadata.a twice.']);
  });

  it('is kept in a payload, which goes on as it was written', async () => {
    const payload = '{"a":1,"b":{"c":1,"c":2},"a":2}';
    const accepted = await send(owner, 'POST', '/jobs/v1/jobs/repeats/trigger', `{"payload":${payload}}`);
    const { id } = JSON.parse(accepted) as { id: string };
    expect(await send(owner, 'GET', `/jobs/v1/runs/${id}`)).toContain(`"payload":${payload}`);
  });
});
