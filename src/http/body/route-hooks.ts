import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Does something first with each request of the routes whose configuration is such, and costs the others nothing. */
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
