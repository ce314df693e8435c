import type { OpenAPIObject } from '@nestjs/swagger';
import { GENERAL_RESPONSES, generalResponse } from '../errors/error-responses.js';
import type { Responses } from '../errors/error-responses.js';
import { NAMED_SCHEMAS, withCompleteSchemas } from '../errors/openapi-schemas.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type RequestBody = NonNullable<Operation['requestBody']>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'options'] as const;

/** The router's name for the rest of a path. The route documents it under a name of its own. */
const REST_OF_PATH = '*';

const NEXT_PAGE = {
  Link: {
    description: 'Where there are more: `<…>; rel="next"` (RFC 8288).',
    schema: { type: 'string' },
  },
} as const;

/**
 * Adds to the generated document what client generators and linters need and decorators cannot express: the errors that
 * any operation may return, that a public route needs no credentials, and which bodies are optional.
 */
export function completed(document: OpenAPIObject): OpenAPIObject {
  const { components, ...rest } = document;
  const whole = withCompleteSchemas({
    ...rest,
    components: {
      ...components,
      responses: GENERAL_RESPONSES,
      schemas: { ...components?.schemas, ...NAMED_SCHEMAS },
    },
  });
  const paths = Object.entries(whole.paths).map(([path, item]) => {
    const changed = { ...item };
    for (const method of METHODS) {
      const operation = changed[method];
      if (operation !== undefined) changed[method] = completedOperation(operation, whole);
    }
    return [path, changed];
  });
  return { ...whole, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function completedOperation(operation: Operation, document: OpenAPIObject): Operation {
  const { security = [], parameters = [], responses, requestBody } = operation;
  const isPaged = parameters.some((parameter) => 'name' in parameter && parameter.name === 'cursor');
  return {
    ...operation,
    responses: { ...(isPaged ? paged(responses) : responses), ...generalResponse(responses) },
    security,
    parameters: parameters.filter((parameter) => !('name' in parameter) || parameter.name !== REST_OF_PATH),
    ...(requestBody === undefined ? {} : { requestBody: completedBody(requestBody, document) }),
  };
}

function paged(responses: Responses): Responses {
  const { 200: page, ...others } = responses;
  return page === undefined || '$ref' in page
    ? responses
    : { 200: { ...page, headers: NEXT_PAGE }, ...others };
}

/** A body is optional if all of its fields are. */
function completedBody(body: RequestBody, document: OpenAPIObject): RequestBody {
  if ('$ref' in body) return body;
  const isDemanded = Object.values(body.content).some(({ schema }) => {
    if (schema === undefined || !('$ref' in schema)) return schema !== undefined;
    const named = document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''];
    return named !== undefined && 'required' in named && (named.required?.length ?? 0) > 0;
  });
  return isDemanded ? body : { ...body, required: false };
}
