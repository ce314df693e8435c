import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** Nest's adapter on a server that this program creates. */
export class NestAdapter extends FastifyAdapter {
  /**
   * Omits the seven hooks that the adapter adds to each request. They serve CORS and features that are not used here:
   * hooks of requests, CSRF protection, version extractors, a response while closing. One refuses targets that are not
   * paths; see `isRoutable`.
   */
  static withoutHooks(server: FastifyInstance): NestAdapter {
    const addHook: unknown = Reflect.get(server, 'addHook');
    server.addHook = () => server;
    try {
      return new NestAdapter(server);
    } finally {
      Object.assign(server, { addHook });
    }
  }

  /** Nest would look for Express middleware at each request. There is none. */
  override async init(): Promise<void> {
    // Nothing to do.
  }
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+(?:\/|\?[^/]*$|$)/i;

/**
 * Whether the target of a request is a path or an absolute URL (RFC 9112, section 3.2). The router accepts other
 * targets, such as `*users`, as if they began with a slash.
 */
export function isRoutable(target: string): boolean {
  return target.startsWith('/') || (ABSOLUTE_FORM.test(target) && URL.canParse(target));
}
