import type { FieldProblem, ServiceError } from './service-error.js';

/** The one body of every error answer (contract section 3). */
export interface ErrorBody {
  error: { code: string; message: string; status: number; hint?: string; details?: readonly FieldProblem[] };
}

export function errorBody(error: ServiceError): ErrorBody {
  return {
    error: {
      code: error.code,
      message: error.message,
      status: error.status,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  };
}
