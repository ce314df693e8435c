import Fastify from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { announce, settings } from './settings.mjs';

/** The body that the service takes, checked as Fastify recommends. */
const BODY = {
  type: 'object',
  additionalProperties: false,
  properties: { payload: { type: 'object' } },
};

/**
 * The part that all peers share: a trigger over HTTP by a verified token, answered with 202 once `enqueue` has
 * resolved.
 * @param {{
 *   enqueue: (payload: object) => Promise<string>,
 *   unfinished: () => Promise<number>,
 *   stop: () => Promise<void>,
 * }} queue
 */
export async function serveTriggers({ enqueue, unfinished, stop }) {
  const keys = createRemoteJWKSet(new URL(settings.keysUrl));
  const expected = { issuer: settings.issuer, audience: settings.audience, algorithms: ['RS256'] };
  const app = Fastify();

  app.post('/trigger', {
    schema: { body: BODY },
    onRequest: async (request, reply) => {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      try {
        await jwtVerify(token ?? '', keys, expected);
      } catch {
        await reply.code(401).send({ error: 'unauthenticated' });
      }
    },
    handler: async (request, reply) => {
      const id = await enqueue(request.body.payload ?? {});
      return await reply.code(202).send({ id, status: 'queued' });
    },
  });
  app.get('/unfinished', async () => ({ unfinished: await unfinished() }));

  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  announce(url, async () => {
    await app.close();
    await stop();
  });
}

/** One call to the handler; what it returns is the result of the job. */
export async function callHandler(payload) {
  const response = await fetch(settings.handlerUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
    signal: AbortSignal.timeout(30_000),
  });
  const result = await response.json();
  if (!response.ok) throw new Error(`the handler answered ${response.status}`);
  return result;
}
