import type { ErrorCode } from './generated/api.js';
import type { PasskeyRequestOptions } from './shapes.js';

/** Failures that the client itself detects. */
export type ClientErrorCode =
  | 'network_error'
  | 'timeout'
  | 'unexpected_answer'
  | 'signed_out'
  | 'org_required'
  | 'invalid_argument'
  | 'passkeys_not_supported'
  | 'passkey_cancelled'
  | 'oauth_not_supported';

/** All codes of this version. A newer service may have others, so programs must expect any string. */
export type KnownErrorCode = ErrorCode | ClientErrorCode;
/** A known code, for completion in editors, or any other. */
export type ServiceErrorCode = KnownErrorCode | (string & {});

/** One problem in a request: where, and what. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** What completes a sign-in with a second factor. */
export interface SignInChallenge {
  readonly token: string;
  readonly factors: readonly string[];
  /** For an account with passkeys. */
  readonly passkey_options?: PasskeyRequestOptions;
  readonly expires_at: string;
}

/** What adds the first factor of an account and so completes its sign-in, in a project that requires one. */
export interface SignInEnrolment {
  readonly token: string;
  readonly factors: readonly string[];
  readonly expires_at: string;
}

export interface ServiceErrorFields {
  readonly code: ServiceErrorCode;
  readonly message: string;
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  readonly hint?: string | undefined;
  readonly details?: readonly Problem[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
  readonly challenge?: SignInChallenge | undefined;
  readonly enrolment?: SignInEnrolment | undefined;
}

/** Any failure of a call except the caller's own abort. `code` is stable, so programs can rely on it. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly status: number;
  /** What to do next, for people. */
  readonly hint: string | undefined;
  /** For `validation_failed`: all problems with their paths. */
  readonly details: readonly Problem[];
  /** From the answer. It finds the request in the service's log. */
  readonly requestId: string | undefined;
  /** For `second_factor_required` at a sign-in. */
  readonly challenge: SignInChallenge | undefined;
  /** For a sign-in of an account without a factor, in a project that requires one. */
  readonly enrolment: SignInEnrolment | undefined;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(fields: ServiceErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.hint = fields.hint;
    this.details = fields.details ?? [];
    this.challenge = fields.challenge;
    this.enrolment = fields.enrolment;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** The service has accounts of its own only. */
export class OAuthNotSupportedError extends ServiceError {
  override readonly name = 'OAuthNotSupportedError';

  constructor() {
    super({
      code: 'oauth_not_supported',
      message: 'Signing in through another identity provider is not supported.',
      status: 0,
      hint: 'Use auth.signIn with an e-mail address and a password.',
    });
  }
}
