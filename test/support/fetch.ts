/** Of a connection that was closed: by an end, by a reset, or before the request was written. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isClosed(error: unknown): boolean {
  // Not by `instanceof`: suites have classes of errors of their own.
  const { cause } = error as { cause?: { code?: string } };
  return CLOSED.has(cause?.code ?? '');
}

/**
 * `fetch` for all tests. A server may close a kept connection just as a request is written to it: nobody answers, and
 * the request was not taken. Such a request is sent once more, over a connection of its own; a program that fails to
 * answer fails the second time as well.
 */
export async function fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  try {
    return await globalThis.fetch(url, init);
  } catch (error) {
    if (!isClosed(error) || init.body instanceof ReadableStream) throw error;
    const headers = new Headers(init.headers);
    headers.set('connection', 'close');
    return await globalThis.fetch(url, { ...init, headers });
  }
}
