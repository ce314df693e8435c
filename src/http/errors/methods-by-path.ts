import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import createRouter from 'find-my-way';
import type { HTTPMethod } from 'find-my-way';

/** The longest name in a path: job ids have 128 characters, and percent-encoding at most triples that. */
export const MAX_PATH_SEGMENT = 512;

const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Which methods a path has, to distinguish a wrong method from an unknown path (RFC 9110, 15.5.6). */
@Injectable()
export class MethodsByPath {
  private readonly router = createRouter({ maxParamLength: MAX_PATH_SEGMENT });

  /** Records each route that the server registers from here on. */
  observe(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      for (const method of [route.method].flat() as HTTPMethod[]) {
        if (METHODS.includes(method) && this.router.findRoute(method, route.url) === null) {
          this.router.on(method, route.url, () => undefined);
        }
      }
    });
  }

  allowed(url: string): string[] {
    const path = url.split('?', 1)[0] ?? '/';
    return METHODS.filter((method) => this.router.find(method, path) !== null);
  }
}
