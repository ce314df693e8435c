import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors/service-error.js';

/** Refuses compressed bodies, which would be read as malformed JSON: 415 (RFC 9110, section 15.5.16). */
export function refuseEncodedBodies(server: FastifyInstance): void {
  server.addHook('preParsing', ({ headers }, _reply, _payload, done) => {
    const encoding = headers['content-encoding'] ?? '';
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody || encoding === '' || encoding.toLowerCase() === 'identity') {
      done();
      return;
    }
    done(
      new ServiceError('unsupported_media_type', {
        message: 'The body must not be compressed.',
        hint: 'Send it without Content-Encoding.',
      }),
    );
  });
}
