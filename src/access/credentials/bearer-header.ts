import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer +(\S+)$/i;

/** The token in `Authorization: Bearer` (RFC 6750, section 2.1). Null if there is none, or anything after it. */
export function bearerOf({ authorization }: Pick<IncomingHttpHeaders, 'authorization'>): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null;
}
