import { ERROR_CODES } from './error-codes.js';
import type { ErrorCode } from './error-codes.js';

/** One problem in a request body or query: its path (`jobs[1].triggers[0].schedule`) and what is wrong. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** The maximum number of problems in one response. */
export const MAX_PROBLEMS = 100;

interface ServiceErrorOptions {
  /** Says what happened, if the registered meaning is too general. Never contains a secret or the input. */
  message?: string;
  /** What the caller can do next. */
  hint?: string;
  details?: readonly FieldProblem[];
  /** The number of problems that `details` leaves out. */
  unlisted?: number;
  headers?: Readonly<Record<string, string>>;
  /** For a sign-in that needs a second factor. */
  challenge?: SignInChallenge;
  /** For a sign-in that needs the first factor of its account. */
  enrolment?: SignInEnrolment;
  /**
   * Overrides the registered status: for `second_factor_required` in an organization or a project (contract section
   * 11).
   */
  status?: 403;
}

/** What a client needs to continue a sign-in. */
export interface SignInChallenge {
  token: string;
  factors: readonly string[];
  /** The `publicKey` argument of `navigator.credentials.get`, as JSON, if the account has passkeys. */
  passkey_options?: object;
  expires_at: string;
}

/** What a client needs to add the first factor of an account and so continue its sign-in. */
export interface SignInEnrolment {
  token: string;
  /** The kinds of factors that can be added. */
  factors: readonly string[];
  expires_at: string;
}

/** A refusal with a registered code. Create a new one for each throw. Only the error filter turns it into HTTP. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly hint: string | undefined;
  /** The first hundred. */
  readonly details: readonly FieldProblem[] | undefined;
  /** The number of problems that `details` leaves out. */
  readonly unlisted: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly challenge: SignInChallenge | undefined;
  readonly enrolment: SignInEnrolment | undefined;
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    options: ServiceErrorOptions = {},
  ) {
    super(options.message ?? ERROR_CODES[code].meaning);
    this.hint = options.hint;
    this.details = options.details?.slice(0, MAX_PROBLEMS);
    this.unlisted = (options.unlisted ?? 0) + Math.max((options.details?.length ?? 0) - MAX_PROBLEMS, 0);
    this.headers = options.headers ?? {};
    this.challenge = options.challenge;
    this.enrolment = options.enrolment;
    this.status = options.status ?? ERROR_CODES[code].status;
  }
}

/** The body of every error response (contract section 3). */
export interface ErrorBody {
  error: {
    code: string;
    message: string;
    status: number;
    hint?: string;
    details?: readonly FieldProblem[];
    challenge?: SignInChallenge;
    enrolment?: SignInEnrolment;
  };
}

/** The maximum size of the listed problems, in bytes, so that a response has at most 64 KiB. */
const MAX_DETAILS_BYTES = 60 * 1024;
/** The maximum length of a path or message, in characters. Longer ones come from the caller, and are cut. */
const MAX_TEXT = 300;
const MAX_MESSAGE = 1_000;

function cut(text: string, most: number): string {
  // Do not cut a surrogate pair in half: not every reader would accept the JSON.
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** As many problems as fit, and the number of the others. */
function listed(details: readonly FieldProblem[], unlisted: number): FieldProblem[] {
  const shown: FieldProblem[] = [];
  let room = MAX_DETAILS_BYTES;
  for (const { path, message } of details) {
    const problem = { path: cut(path, MAX_TEXT), message: cut(message, MAX_TEXT) };
    room -= Buffer.byteLength(JSON.stringify(problem)) + 1;
    if (room < 0) break;
    shown.push(problem);
  }
  const more = details.length - shown.length + unlisted;
  return more === 0 ? shown : [...shown, { path: '', message: `…and ${more} more` }];
}

export function errorBody(error: ServiceError): ErrorBody {
  return {
    error: {
      code: error.code,
      message: cut(error.message, MAX_MESSAGE),
      status: error.status,
      ...(error.hint === undefined ? {} : { hint: cut(error.hint, MAX_MESSAGE) }),
      ...(error.details === undefined ? {} : { details: listed(error.details, error.unlisted) }),
      ...(error.challenge === undefined ? {} : { challenge: error.challenge }),
      ...(error.enrolment === undefined ? {} : { enrolment: error.enrolment }),
    },
  };
}
