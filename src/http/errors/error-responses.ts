import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES } from './error-codes.js';
import type { ErrorCode } from './error-codes.js';
import { ERROR_REFERENCE } from './openapi-schemas.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Responses = Operation['responses'];
type NamedResponses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

const HTML = { 'text/html': { schema: { type: 'string' } } };

/** Errors that any operation may return. The `default` response of each operation shows them. */
const GENERAL_CODES: readonly ErrorCode[] = [
  'bad_request',
  'invalid_json',
  'validation_failed',
  'repeated_header',
  'not_found',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'misdirected_request',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** The error body, with one example for each code. */
function errorContent(codes: readonly ErrorCode[], shown?: number): Record<string, object> {
  const examples = codes.map((code) => {
    const { meaning: message, status } = ERROR_CODES[code];
    return [code, { value: { error: { code, message, status: shown ?? status } } }];
  });
  return {
    'application/json': { schema: ERROR_REFERENCE, examples: Object.fromEntries(examples) as object },
  };
}

function listOf(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].meaning}`).join('\n\n');
}

/** The headers of every 401. */
const CHALLENGE_HEADER = {
  'WWW-Authenticate': {
    required: true,
    description: 'How to say who is calling (RFC 9110, section 11.6.1): `Bearer`, `Body` or `Signature`.',
    schema: { type: 'string' as const, example: 'Bearer realm="service"' },
  },
};

/**
 * Codes with several statuses: a sign-in needs a second factor (401), or the account lacks the one that is required
 * (403).
 */
const STATUSES: Readonly<Partial<Record<ErrorCode, readonly number[]>>> = {
  second_factor_required: [401, 403],
};

/** Documents these errors in OpenAPI: under each status, one example for each code. */
export function errorResponses(codes: readonly ErrorCode[]): Responses {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes)
    for (const status of STATUSES[code] ?? [ERROR_CODES[code].status])
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => [
      String(status),
      {
        description: listOf(sameStatus),
        ...(status === 401 ? { headers: CHALLENGE_HEADER } : {}),
        content: errorContent(sameStatus, status),
      },
    ]),
  );
}

/** The responses that operations refer to as their `default`. */
export const GENERAL_RESPONSES: NamedResponses = {
  Error: {
    description: `Any other refusal, under the status of its code.\n\n${listOf(GENERAL_CODES)}`,
    headers: {
      'Retry-After': {
        description: 'Of 429 and 503: after how many seconds to try again.',
        schema: { type: 'integer' },
      },
    },
    content: errorContent(GENERAL_CODES),
  },
  ErrorPage: {
    description:
      'Any other refusal: a page that says so, or the error body where the request came to no page.',
    content: { ...HTML, ...errorContent(GENERAL_CODES) },
  },
};

/** The `default` response of an operation: an HTML page if its success is one. */
export function generalResponse(responses: Responses): Responses {
  const isPage = Object.values(responses).some(
    (response) => response !== undefined && 'content' in response && 'text/html' in (response.content ?? {}),
  );
  return { default: { $ref: `#/components/responses/${isPage ? 'ErrorPage' : 'Error'}` } };
}

/** The error codes that responses made by `errorResponses` document. */
export function shownErrors(responses: Responses): ErrorCode[] {
  return Object.values(responses).flatMap((response) => {
    const examples =
      response !== undefined && 'content' in response
        ? response.content?.['application/json']?.examples
        : undefined;
    return Object.keys(examples ?? {}).filter((code): code is ErrorCode => Object.hasOwn(ERROR_CODES, code));
  });
}
