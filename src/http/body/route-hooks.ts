import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Adds a hook to the routes whose configuration asks for it. Other routes pay nothing for it. */
export function beforeRequestsOf(
  server: FastifyInstance,
  isMeant: (config: object) => boolean,
  work: (request: FastifyRequest) => void,
): void {
  server.addHook('onRoute', (route) => {
    if (!isMeant(route.config ?? {})) return;
    const others = [route.onRequest ?? []].flat();
    route.onRequest = [
      (request, _reply, done) => {
        work(request);
        done();
      },
      ...others,
    ];
  });
}
