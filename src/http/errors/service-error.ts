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

  constructor(
    readonly code: ErrorCode,
    options: ServiceErrorOptions = {},
  ) {
    super(options.message ?? ERROR_CODES[code].meaning);
    this.hint = options.hint;
    this.details = options.details?.slice(0, MAX_PROBLEMS);
    this.unlisted = (options.unlisted ?? 0) + Math.max((options.details?.length ?? 0) - MAX_PROBLEMS, 0);
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}
