import { ERROR_CODES } from '../errors/error-codes.js';
import type { ErrorCode } from '../errors/error-codes.js';
import type { ServiceError } from '../errors/service-error.js';
import type { ServiceRequest } from './caller.js';

/** The codes that are answered with 401. */
export type UnauthenticatedCode = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code]['status'] extends 401 ? Code : never;
}[ErrorCode];

/**
 * How a request authenticates: `Bearer` with a token or key in a header (RFC 6750), `Body` with a password or a refresh
 * token in its body, `Signature` with the signature of a webhook. The last two are not registered. No browser knows
 * them, so none asks its user for a password.
 */
type Scheme = 'Bearer' | 'Body' | 'Signature';

/** `session_revoked` may be about a refresh token, or about the access token of a session that has ended. */
const SCHEMES: Readonly<Record<UnauthenticatedCode, Scheme | 'Bearer or Body'>> = {
  unauthenticated: 'Bearer',
  sign_in_required: 'Bearer',
  invalid_access_token: 'Bearer',
  invalid_api_key: 'Bearer',
  invalid_admin_token: 'Bearer',
  session_revoked: 'Bearer or Body',
  invalid_credentials: 'Body',
  invalid_refresh_token: 'Body',
  refresh_token_reused: 'Body',
  second_factor_required: 'Body',
  invalid_challenge: 'Body',
  invalid_second_factor: 'Body',
  invalid_passkey: 'Body',
  invalid_signature: 'Signature',
};

const REALM = 'realm="service"';

function isUnauthenticated(code: ErrorCode): code is UnauthenticatedCode {
  return Object.hasOwn(SCHEMES, code);
}

/** Whether a credential in a header was refused, as opposed to missing. */
function refusesToken(code: UnauthenticatedCode, { headers }: Pick<ServiceRequest, 'headers'>): boolean {
  if (code === 'invalid_admin_token') return headers.authorization !== undefined;
  return code !== 'unauthenticated' && code !== 'sign_in_required';
}

/**
 * The `WWW-Authenticate` header of a response with this code; every 401 has one (RFC 9110, section 11.6.1). If a token
 * was refused, the header says so. Without a token, it has only the scheme (RFC 6750, section 3.1).
 */
export function challengeHeader(
  { code, status }: Pick<ServiceError, 'code' | 'status'>,
  request: Pick<ServiceRequest, 'headers' | 'caller'>,
): Readonly<Record<string, string>> {
  // An organization that requires a second factor answers with a code of sign-ins, and 403.
  if (status !== 401 || !isUnauthenticated(code)) return {};
  const declared = SCHEMES[code];
  const scheme =
    declared !== 'Bearer or Body' ? declared : request.caller?.type === 'user' ? 'Bearer' : 'Body';
  const refusal =
    scheme === 'Bearer' && refusesToken(code, request)
      ? `, error="invalid_token", error_description="${ERROR_CODES[code].meaning}"`
      : '';
  return { 'WWW-Authenticate': `${scheme} ${REALM}${refusal}` };
}
