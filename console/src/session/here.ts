/** Sent by each request of the console: pages of other sites cannot, and the log of requests knows its readings by it. */
const HEADER = 'X-Service-Console';

/** For `createClient`: the service that these pages come from, whose routes under `/console/session` read the cookie. */
export const here = {
  url: location.origin,
  fetch: async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set(HEADER, '1');
    return await fetch(url, { ...init, headers, credentials: 'same-origin' });
  },
};
