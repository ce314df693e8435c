import type { FastifyReply } from 'fastify';
import type { ServiceRequest } from './caller.js';

/**
 * Calls `gone` once nothing of the response is left: its end was read, or its connection closed. A response that waits
 * for an earlier one on the same connection gets no event when the connection closes, so this listens to both.
 */
export function onResponseGone({ raw, request }: FastifyReply, gone: () => void): void {
  const { socket } = request.raw;
  const once = (): void => {
    raw.off('close', once);
    socket.off('close', once);
    gone();
  };
  raw.once('close', once);
  socket.once('close', once);
  if (socket.destroyed) once();
}

/**
 * Calls `lost` once, within a second, when the caller loses access to the response. The result stops this. Every
 * streamed response must use it, which a test checks: guards decide once, but a stream continues. Throws on a route
 * whose guards leave nothing to watch, such as a public one, which is a mistake in the route.
 */
export function watchAccess({ revocableAccess }: ServiceRequest, lost: () => void): () => void {
  if (revocableAccess === undefined)
    throw new Error('the route streams a response but nobody watches its access');
  return revocableAccess.watch(lost);
}
