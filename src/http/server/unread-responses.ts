import type { FastifyInstance } from 'fastify';

/** A response that fits into the buffers of a connection is gone whether or not it is read. */
const SMALL_CHARACTERS = 64 * 1024;

/**
 * Closes the connection of a response whose reader takes nothing of it for so long, because the unread part is held in
 * memory. Node counts what the operating system takes over as activity, so that a slow reader is left alone.
 */
export function closeUnreadResponses(server: FastifyInstance, afterMs: number): void {
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    const isSmall = payload == null || (typeof payload === 'string' && payload.length <= SMALL_CHARACTERS);
    if (!isSmall)
      raw.setTimeout(afterMs, () => {
        // A stream may also wait for its source; the next write starts the time again.
        if (raw.writableLength > 0) raw.destroy();
      });
    done(null, payload);
  });
}
