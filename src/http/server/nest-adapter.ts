import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** Nest's adapter on a server of ours. */
export class NestAdapter extends FastifyAdapter {
  /**
   * Without the seven hooks that the adapter adds to each request. They serve CORS, and what is not used here: hooks of
   * requests, CSRF protection, version extractors, an answer while closing. One refuses targets that are no path; see
   * `isRoutable`.
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

  /** Would look for Express middleware at each request. There is none. */
  override async init(): Promise<void> {
    // Nothing to do.
  }
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+(?:\/|\?[^/]*$|$)/i;

/**
 * Whether the target of a request is a path or an absolute URL (RFC 9112, section 3.2). The router takes others, such as
 * `*users`, as if they began with a slash.
 */
export function isRoutable(target: string): boolean {
  return target.startsWith('/') || (ABSOLUTE_FORM.test(target) && URL.canParse(target));
}
