import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CODES } from './error-codes.js';
import type { ErrorCode } from './error-codes.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Responses = Operation['responses'];

/** Comes with every 401. */
const CHALLENGE_HEADER = {
  'WWW-Authenticate': {
    required: true,
    description: 'How to say who is calling (RFC 9110, section 11.6.1): `Bearer`, `Body` or `Signature`.',
    schema: { type: 'string' as const, example: 'Bearer realm="service"' },
  },
};

/** What OpenAPI says of these refusals: under each status, one example for each code. */
export function errorResponses(codes: readonly ErrorCode[]): Responses {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => [
      String(status),
      {
        description: sameStatus.map((code) => `\`${code}\`: ${ERROR_CODES[code].meaning}`).join('\n\n'),
        ...(status === 401 ? { headers: CHALLENGE_HEADER } : {}),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              sameStatus.map((code) => [
                code,
                { value: { error: { code, message: ERROR_CODES[code].meaning, status } } },
              ]),
            ),
          },
        },
      },
    ]),
  );
}

/** The error codes that responses made by `errorResponses` show. */
export function shownErrors(responses: Responses): ErrorCode[] {
  return Object.values(responses).flatMap((response) => {
    const examples =
      response !== undefined && 'content' in response
        ? response.content?.['application/json']?.examples
        : undefined;
    return Object.keys(examples ?? {}).filter((code): code is ErrorCode => Object.hasOwn(ERROR_CODES, code));
  });
}
