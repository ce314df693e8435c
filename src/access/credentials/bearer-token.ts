import { decodeProtectedHeader } from 'jose';
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_TYPE,
  RUN_TOKEN_ALGORITHM,
  RUN_TOKEN_TYPE,
  SERVICE_ROLE,
} from '../../identity/index.js';
import type { AccessTokenClaims, PublicKey, RunTokenClaims, SigningKeys } from '../../identity/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import type { TokenTimes } from '../../platform/crypto/index.js';
import type { RunCaller, UserCaller } from '../../http/index.js';

export type BearerClaims = Partial<Omit<AccessTokenClaims, 'jti'>> &
  Partial<RunTokenClaims> &
  Partial<TokenTimes>;

function typeOf(token: string): string | undefined {
  return decodeProtectedHeader(token).typ;
}

/** The key that a token names as its signer. @throws when it is not one of ours, or the token is not a bearer token */
export function keyOf(keys: Pick<SigningKeys, 'find'>, token: string): PublicKey {
  const { alg, typ, kid } = decodeProtectedHeader(token);
  const key = typeof kid === 'string' ? keys.find(kid) : undefined;
  if (key === undefined || alg !== key.algorithm || !isSignedBy(typ, alg))
    throw new Error('not a bearer token of ours');
  return key;
}

/** Access tokens and run tokens have keys of their own. */
function isSignedBy(typ: string | undefined, alg: string): boolean {
  return typ === RUN_TOKEN_TYPE
    ? alg === RUN_TOKEN_ALGORITHM
    : typ === ACCESS_TOKEN_TYPE && alg === ACCESS_TOKEN_ALGORITHM;
}

/** The caller that a verified token belongs to; false if we signed the token but it lacks a claim of its type. */
export function callerOf(token: string, claims: BearerClaims): UserCaller | RunCaller | false {
  if (claims.exp === undefined) return false;
  return typeOf(token) === RUN_TOKEN_TYPE ? runOf(claims) : userOf(claims);
}

function userOf({ sub, sid, email }: BearerClaims): UserCaller | false {
  if (sub === undefined || !isUuid(sub) || sid === undefined || email === undefined) return false;
  return { type: 'user', userId: sub, sessionId: sid, email };
}

function runOf({ sub, role, org, run_id: runId, attempt, perms }: BearerClaims): RunCaller | false {
  if (sub !== undefined || role !== SERVICE_ROLE || org === undefined || !isUuid(org)) return false;
  if (runId === undefined || attempt === undefined || perms === undefined) return false;
  return { type: 'run', runId, attempt, tenantId: org, permissions: perms, userId: null };
}
