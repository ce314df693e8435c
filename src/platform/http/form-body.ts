import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from './service-error.js';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** A page of ours sends a token and a password. */
const FORM_LIMIT_BYTES = 16_384;

interface FormRouteConfig {
  readonly acceptsForm?: boolean;
}

/** Lets a route take what an HTML form sends, as an object of its fields; the DTO says which there are. */
export function AcceptsForm(): MethodDecorator {
  return RouteConfig({ acceptsForm: true } satisfies FormRouteConfig);
}

/** Forms on the routes that ask for them; elsewhere they stay an unsupported media type. */
export function acceptForms(server: FastifyInstance): void {
  server.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES },
    (request, body, done) => {
      const { acceptsForm } = request.routeOptions.config as FormRouteConfig;
      if (acceptsForm !== true) {
        done(new ServiceError('unsupported_media_type'));
        return;
      }
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer);
        done(null, Object.fromEntries(new URLSearchParams(text)));
      } catch {
        done(new ServiceError('bad_request', { message: 'The form is not valid UTF-8.' }));
      }
    },
  );
}
