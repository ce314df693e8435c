import { gzipSync } from 'node:zlib';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signUpOwner } from '../support/client.js';
import { endedRun, registerJobs, trigger } from '../support/runs.js';
import { sharedProgram } from '../support/shared-program.js';

it('a function may return what it fetched, by itself or copied with its headers', async () => {
  const program = await sharedProgram();
  const upstream = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync('{"fetched":1.10}'));
  }).listen(0, '127.0.0.1');
  try {
    await program.deploy(
      'pass-on',
      `export default async (request) => {
        const { url, copies } = await request.json();
        const fetched = await fetch(url);
        return copies ? new Response(await fetched.text(), { headers: fetched.headers }) : fetched;
      }`,
    );
    const { client } = await signUpOwner(program.url);
    await registerJobs(client, { 'pass-on': {} });
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    for (const copies of [false, true]) {
      const { id } = await trigger(client, 'pass-on', { payload: { url, copies } });
      expect(await endedRun(client, id)).toMatchObject({ status: 'completed', result: { fetched: 1.1 } });
    }
  } finally {
    upstream.close();
  }
});
