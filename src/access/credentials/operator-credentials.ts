import { Inject, Injectable } from '@nestjs/common';
import { ANONYMOUS } from '../../audit/index.js';
import type { Actor } from '../../audit/index.js';
import { ServiceError } from '../../http/index.js';
import type { OperatorCaller, ServiceRequest, UserCaller } from '../../http/index.js';
import { OperatorRepository, OperatorTokens } from '../../identity/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { secretsEqual } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { bearerOf } from './bearer-header.js';

/** A compact JWS (RFC 7515, section 3.1): an access token that has expired, or whose key was retired. */
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** A program with `admin.token`, which has no account. */
const PROGRAM: OperatorCaller = { type: 'operator', account: null, access: 'full' };

/** Who presented a credential, and why it was refused. */
export interface OperatorRefusal {
  readonly code: 'invalid_admin_token' | 'session_revoked' | 'second_factor_required';
  readonly by: Actor;
  readonly hasPresented: boolean;
  /** Whether a newer access token of the same session may be accepted: clients renew theirs after a 401. */
  readonly mayRenew: boolean;
}

/** A session without a second factor, or of an account that no longer has one, gives no rights of an operator. */
export function factorRequired(): ServiceError {
  return new ServiceError('second_factor_required', {
    status: 403,
    message: 'Operators need a second factor, which this session has not met or this account does not have.',
    hint:
      'Sign in to the console, which leads there. Or add a factor to your account with POST /auth/v1/factors/totp; ' +
      'with a factor, POST /auth/v1/reauthenticate meets it.',
  });
}

/** Finds the operator of a request by its credential: `admin.token`, or an operator's access token. */
@Injectable()
export class OperatorCredentials {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly tokens: OperatorTokens,
    private readonly operators: OperatorRepository,
    private readonly database: Database,
  ) {}

  /** Reads an operator's account and session from the database each time, and records nothing. */
  async identify({ headers }: ServiceRequest): Promise<OperatorCaller | OperatorRefusal> {
    const presented = bearerOf(headers);
    const { token } = this.config.admin;
    const unknown = {
      code: 'invalid_admin_token',
      by: ANONYMOUS,
      hasPresented: true,
      mayRenew: false,
    } as const;
    if (presented === null) return { ...unknown, hasPresented: false };
    if (token !== null && secretsEqual(presented, token)) return PROGRAM;
    const subject = await this.tokens.verifyOperatorToken(presented);
    if (subject === null) return { ...unknown, mayRenew: COMPACT_JWS.test(presented) };
    const state = await this.operators.sessionState(this.database.reader, subject);
    if (state === null) return unknown;
    const { userId, sessionId } = subject;
    const by: Actor = { type: 'user', id: userId };
    if (state.access === null) return { ...unknown, by };
    if (!state.isLive) return { ...unknown, code: 'session_revoked', by };
    if (!state.hasMetFactor) return { ...unknown, code: 'second_factor_required', by };
    return {
      type: 'operator',
      account: { userId, sessionId, email: state.email },
      access: state.access,
    };
  }

  /**
   * The operator as the user of their own account, which they manage with or without a second factor. Null for any
   * credential other than an operator's access token.
   * @throws session_revoked
   */
  async ownAccount({ headers }: ServiceRequest): Promise<UserCaller | null> {
    const presented = bearerOf(headers);
    const subject = presented === null ? null : await this.tokens.verifyOperatorToken(presented);
    if (subject === null) return null;
    const state = await this.operators.sessionState(this.database.reader, subject);
    if (state === null || state.access === null) return null;
    if (!state.isLive) throw new ServiceError('session_revoked');
    const { userId, sessionId } = subject;
    return { type: 'user', userId, sessionId, email: state.email };
  }
}
