import type { IncomingHttpHeaders } from 'node:http';
import { isMeantAsApiKey } from '../../keys/index.js';
import { ServiceError } from '../../http/index.js';

/** The credential that a request presents, not yet verified. */
export type PresentedCredential =
  { readonly type: 'access_token' } | { readonly type: 'api_key'; readonly key: string };

const BEARER = /^Bearer +(.*)$/i;
const KEY_HEADER = 'x-api-key';

/**
 * The API key in `X-API-Key` or sent as a bearer token; otherwise the value of `Authorization`; null if there is
 * neither.
 * @throws repeated_header if both are present, even if they are equal: they could name two callers
 */
export function presentedCredential(headers: IncomingHttpHeaders): PresentedCredential | null {
  const { authorization, [KEY_HEADER]: key } = headers;
  if (key !== undefined) {
    if (authorization === undefined) return { type: 'api_key', key: String(key) };
    throw new ServiceError('repeated_header', {
      message: 'Authorization and X-API-Key were both sent; they could name two callers.',
    });
  }
  if (authorization === undefined) return null;
  const bearer = BEARER.exec(authorization)?.[1];
  return bearer !== undefined && isMeantAsApiKey(bearer)
    ? { type: 'api_key', key: bearer }
    : { type: 'access_token' };
}
