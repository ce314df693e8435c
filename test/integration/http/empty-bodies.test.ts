import { signUpOwner } from '../../support/client.js';
import type { RunBody } from '../../support/client.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import type { RawAnswer } from '../../support/raw-http.js';
import { programRoutes } from '../../support/routes.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

const JSON_TYPE = 'Content-Type: application/json';
const LENGTH_ZERO = [JSON_TYPE, 'Content-Length: 0'];
const CHUNKED = [`${JSON_TYPE}; charset=utf-8`, 'Transfer-Encoding: chunked'];

describe('an empty body with Content-Type: application/json', () => {
  let program: SharedProgram;
  let credentials: string[];

  beforeAll(async () => {
    program = await sharedProgram();
    const { client, accessToken, slug } = await signUpOwner(program.url);
    credentials = [`Authorization: Bearer ${accessToken}`, `X-Service-Org: ${slug}`];
    await program.deploy('echo', 'export default () => Response.json({})');
    const jobs = [{ id: 'echo', name: 'Echo', handler: 'echo' }];
    expect((await client.post('/jobs/v1/jobs', { jobs })).status).toBe(200);
  });
  async function send(method: string, path: string, headers: string[], body = ''): Promise<RawAnswer> {
    return await sendRaw(program.url, rawRequest(method, path, [...credentials, ...headers], body));
  }

  function statusAndCode({ status, text }: RawAnswer): [number, string] {
    const isError = status >= 400 && text.startsWith('{');
    return [status, isError ? (JSON.parse(text) as { error: { code: string } }).error.code : ''];
  }

  it('gets the answer of a request without a body on every route', async () => {
    const changing = (await programRoutes()).filter(({ method }) => method !== 'GET');
    expect(changing.length).toBeGreaterThan(20);
    for (const { method, path } of changing) {
      // No such organization, job or user: the same request may be sent three times.
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      const bare = statusAndCode(await send(method, url, ['Content-Length: 0']));
      expect([path, bare]).not.toEqual([path, [400, 'invalid_json']]);
      expect([path, statusAndCode(await send(method, url, LENGTH_ZERO))]).toEqual([path, bare]);
      expect([path, statusAndCode(await send(method, url, CHUNKED, '0\r\n\r\n'))]).toEqual([path, bare]);
    }
  });

  it('is not mistaken for a compressed body, which is refused with 415', async () => {
    const gzip = [JSON_TYPE, 'Content-Encoding: gzip'];
    const refused = await send('POST', '/jobs/v1/jobs/echo/trigger', [...gzip, 'Content-Length: 2'], '{}');
    expect(statusAndCode(refused)).toEqual([415, 'unsupported_media_type']);
    const empty = await send('POST', '/jobs/v1/jobs/echo/trigger', [...gzip, 'Content-Length: 0']);
    expect(empty.status).toBe(202);
  });

  it('triggers a job without a payload', async () => {
    for (const [headers, body] of [
      [LENGTH_ZERO, ''],
      [CHUNKED, '0\r\n\r\n'],
    ] as const) {
      const triggered = await send('POST', '/jobs/v1/jobs/echo/trigger', [...headers], body);
      expect(triggered.status).toBe(202);
      const { id } = JSON.parse(triggered.text) as RunBody;
      const shown = await send('GET', `/jobs/v1/runs/${id}`, []);
      expect((JSON.parse(shown.text) as RunBody).payload).toEqual({});
    }
  });

  it('may come with a DELETE', async () => {
    expect((await send('DELETE', '/jobs/v1/jobs/echo', LENGTH_ZERO)).status).toBe(204);
  });
});
