import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { BodyKind } from './body-limits.js';
import { charsetOf, FormError, formFields } from '../../platform/text/index.js';
import { ServiceError } from '../errors/service-error.js';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
interface FormRouteConfig {
  readonly acceptsForm?: boolean;
  readonly bodyKind?: BodyKind;
}

/** Lets a route accept an HTML form, as an object of its fields. The DTO says which fields there are. */
export function AcceptsForm(): MethodDecorator {
  return RouteConfig({ acceptsForm: true, bodyKind: 'form' } satisfies FormRouteConfig);
}

/** Parses forms on the routes that ask for them. Elsewhere they remain an unsupported media type. */
export function acceptForms(server: FastifyInstance): void {
  server.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    const { acceptsForm } = request.routeOptions.config as FormRouteConfig;
    if (acceptsForm !== true) {
      done(new ServiceError('unsupported_media_type'));
      return;
    }
    try {
      const charset = charsetOf(request.headers['content-type'] ?? '');
      done(null, Object.fromEntries(formFields(body as Buffer, charset)));
    } catch (error) {
      done(
        error instanceof FormError
          ? new ServiceError('bad_request', { message: error.message })
          : (error as Error),
      );
    }
  });
}
