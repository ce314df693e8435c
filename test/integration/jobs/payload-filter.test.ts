import { signUpOwner } from '../../support/client.js';
import type { Client, RunBody } from '../../support/client.js';
import { fetch } from '../../support/fetch.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

interface Refusal {
  error: { details: { path: string; message: string }[] };
}

describe('the filter of runs by their payload', () => {
  let program: SharedProgram;
  let client: Client;
  let orgId: string;
  const ids: string[] = [];

  /** The last ones cannot be `jsonb`. */
  const PAYLOADS = [
    '{"customer":{"id":42},"n":1.10}',
    '{"customer":{"id":1983516295378495150},"n":1e400}',
    String.raw`{"__proto__":{"admin":true},"customer":{"id":42}}`,
    String.raw`{"text":"\u0000 and \\u0000 and \ud83d\ude00","customer":{"id":42}}`,
    String.raw`{"text":"\ud800","texts":["\\ud800\udc00","\ud83d\ude00"],"customer":{"id":42}}`,
    String.raw`{"text":"\\\udfff\ud800\ud83d\ude00, 1e99999","n":-1.5e+999999,"customer":{"id":42}}`,
  ];

  beforeAll(async () => {
    program = await sharedProgram();
    await program.deploy('take', 'export default () => Response.json({})');
    ({ client, orgId } = await signUpOwner(program.url));
    await client.post('/jobs/v1/jobs', { jobs: [{ id: 'later', name: 'Later', handler: 'take' }] });
    for (const payload of PAYLOADS) {
      const { status, text } = await send(
        'POST',
        '/jobs/v1/jobs/later/trigger',
        `{"payload":${payload},"delay_ms":3600000}`,
      );
      expect([status, text]).toEqual([202, expect.anything()]);
      ids.push((JSON.parse(text) as RunBody).id);
    }
  });

  /** Sends JSON as it is written here. */
  async function send(
    method: string,
    path: string,
    body?: string,
  ): Promise<{ status: number; text: string }> {
    const headers = {
      ...client.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${client.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  }

  async function ofList(filter: string): Promise<{ status: number; text: string }> {
    return await send('GET', `/jobs/v1/runs?payload=${encodeURIComponent(filter)}`);
  }

  async function ofBulk(filter: string, isDryRun = true): Promise<{ status: number; text: string }> {
    const body = `{"action":"cancel","dry_run":${isDryRun},"filter":{"payload":${filter}}}`;
    return await send('POST', '/jobs/v1/runs/bulk', body);
  }

  it.each([
    ['{"customer":{"id":42}}', [0, 2, 3, 4, 5]],
    ['{"customer":{"id":1983516295378495150}}', [1]],
    ['{"customer":{"id":1983516295378495151}}', []],
    ['{"n":1.1}', [0]],
    ['{"n":1e400}', [1]],
    ['{"n":null}', []],
    ['{"__proto__":{"admin":true}}', [2]],
    [String.raw`{"texts":["\ud83d\ude00"],"customer":{}}`, [4]],
    [String.raw`{"text":"\ufffd"}`, []],
  ])('is the same for the list and for bulk operations: %s', async (filter, expected) => {
    const list = await ofList(filter);
    expect(list.status).toBe(200);
    const found = (JSON.parse(list.text) as RunBody[]).map(({ id }) => ids.indexOf(id)).sort();
    expect(found).toEqual(expected);
    const bulk = await ofBulk(filter);
    expect([bulk.status, JSON.parse(bulk.text)]).toMatchObject([202, { matched: expected.length }]);
  });

  it.each([
    ['[1]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    [String.raw`{"a":"\u0000"}`, 'must not contain NUL or unpaired surrogates'],
    [String.raw`{"a":["\ud800"]}`, 'must not contain NUL or unpaired surrogates'],
    [String.raw`{"\udc00":1}`, 'must not contain NUL or unpaired surrogates'],
    ['{"n":[1e999999]}', 'must have no numbers that jsonb cannot hold, such as 1e999999'],
    ['{"n":1e-20000}', 'must have no numbers that jsonb cannot hold, such as 1e-20000'],
  ])('is refused alike for the list and for bulk operations: %s', async (filter, message) => {
    for (const [answer, path] of [
      [await ofList(filter), 'payload'],
      [await ofBulk(filter), 'filter.payload'],
    ] as const) {
      const { error } = JSON.parse(answer.text) as Refusal;
      expect([answer.status, error.details]).toEqual([400, [{ path, message }]]);
    }
  });

  it('names each member once, in the query as in a body', async () => {
    const twice = '{"a":[{"b":1,"b":2}]}';
    const [list, bulk] = [await ofList(twice), await ofBulk(twice)];
    const { error } = JSON.parse(list.text) as Refusal;
    const message = 'must name each member of an object once';
    expect([list.status, error.details]).toEqual([400, [{ path: 'payload', message }]]);
    expect([bulk.status, bulk.text]).toEqual([400, expect.stringContaining('invalid_json')]);
  });

  it('is in the audit log as it was written', async () => {
    const filter = '{"customer":{"id":1983516295378495150}}';
    expect((await ofBulk(filter, false)).status).toBe(202);
    const entries = await program.database.query<{ filter: unknown }>(
      `SELECT details -> 'filter' AS filter FROM audit_entries WHERE org_id = $1 AND action = 'runs.cancelled'`,
      [orgId],
    );
    expect(entries).toEqual([{ filter: { payload: filter } }]);
  });
});
