import type { FastifyInstance } from 'fastify';

/** A response that fits into the buffers of a connection is gone whether or not it is read. */
const SMALL_CHARACTERS = 64 * 1024;

/**
 * Closes the connection of a response that nobody has read from for so long, because the unread part is held in memory.
 * Node counts what the operating system accepts as activity, so a slow reader is left alone.
 */
export function closeUnreadResponses(server: FastifyInstance, afterMs: number): void {
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    const isSmall = payload == null || (typeof payload === 'string' && payload.length <= SMALL_CHARACTERS);
    if (!isSmall)
      raw.setTimeout(afterMs, () => {
        // A stream may also be waiting for its source. The next write restarts the time.
        if (raw.writableLength > 0) raw.destroy();
      });
    done(null, payload);
  });
}
