import Fastify from 'fastify';
import { announce, settings } from './settings.mjs';
import { authenticate, registerTokens } from './verified-token.mjs';

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
  const app = Fastify();
  await registerTokens(app);

  app.post('/trigger', {
    schema: { body: BODY },
    onRequest: authenticate,
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
