import { ERROR_CODES } from './error-codes.js';
import type { ErrorCode } from './error-codes.js';

/** One fault of a request body or query: where it is (`jobs[1].triggers[0].schedule`) and what is wrong. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** Most problems that one answer lists. */
export const MAX_PROBLEMS = 100;

interface ServiceErrorOptions {
  /** Says what happened, where the registered meaning is too general. Never a secret, never the input. */
  message?: string;
  /** What the caller can do next. */
  hint?: string;
  details?: readonly FieldProblem[];
  /** How many problems there are besides those of `details`. */
  unlisted?: number;
  headers?: Readonly<Record<string, string>>;
  /** Of a sign-in that waits for a second factor. */
  challenge?: SignInChallenge;
  /** Of a sign-in that waits for the first factor of its account. */
  enrolment?: SignInEnrolment;
  /** In place of the registered status: of `second_factor_required` in an organization or a project (contract section 11). */
  status?: 403;
}

/** What a client needs to go on with a sign-in. */
export interface SignInChallenge {
  token: string;
  factors: readonly string[];
  /** What `navigator.credentials.get` takes as `publicKey`, in JSON; where the account has passkeys. */
  passkey_options?: object;
  expires_at: string;
}

/** What a client needs to add the first factor of an account and so to go on with its sign-in. */
export interface SignInEnrolment {
  token: string;
  /** What can be added. */
  factors: readonly string[];
  expires_at: string;
}

/** A refusal with a registered code. Made fresh at each throw; the error filter alone turns it into HTTP. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly hint: string | undefined;
  /** The first hundred. */
  readonly details: readonly FieldProblem[] | undefined;
  /** How many problems are left out of `details`. */
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

/** The one body of every error answer (contract section 3). */
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

/** Bytes that the listed problems come to in an answer of at most 64 KiB. */
const MAX_DETAILS_BYTES = 60 * 1024;
/** Characters of a path or message; what a caller makes longer is cut. */
const MAX_TEXT = 300;
const MAX_MESSAGE = 1_000;

function cut(text: string, most: number): string {
  // Not between the halves of a surrogate pair, which would not be JSON for everyone.
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The first problems that there is room for, and after them how many more there are. */
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
