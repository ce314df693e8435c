/** The errors of a closed connection: it ended, it was reset, or it closed before the request was written. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isClosed(error: unknown): boolean {
  // Not with `instanceof`, because suites have their own error classes.
  const { cause } = error as { cause?: { code?: string } };
  return CLOSED.has(cause?.code ?? '');
}

/**
 * `fetch` for all tests. A server may close an idle connection just as a request is written to it. Then nobody answers,
 * and the request was not received. Such a request is sent once more, over a new connection. A program that fails to
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
