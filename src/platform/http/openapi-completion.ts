import type { OpenAPIObject } from '@nestjs/swagger';
import { errorResponses } from './error-responses.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** Where requests without good credentials are counted (`limits.requests_per_address`). */
const LIMITED_PATH = /^\/(?:auth|admin)\/v1(?:\/|$)/;

/** The router's name for the rest of a path; the route documents it under a name of its own. */
const REST_OF_PATH = '*';

/**
 * The generated document with what generators of clients and linters need, and decorators cannot say: a route
 * without credentials says so, and an object of unnamed fields may have any.
 */
export function completed(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const changed = { ...item };
    for (const method of METHODS) {
      const operation = changed[method];
      if (operation !== undefined) changed[method] = completedOperation(path, operation);
    }
    return [path, changed];
  });
  return opened({ ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] });
}

function completedOperation(path: string, operation: Operation): Operation {
  const { security = [], parameters = [], responses } = operation;
  const limited = LIMITED_PATH.test(path) ? errorResponses(['rate_limited']) : {};
  return {
    ...operation,
    responses: { ...responses, ...limited },
    security,
    parameters: parameters.filter((parameter) => !('name' in parameter) || parameter.name !== REST_OF_PATH),
  };
}

/** A copy in which each object schema without `properties` has `additionalProperties`. */
function opened<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => opened(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, opened(inner)]));
  const isBareObject = ['properties', 'additionalProperties', 'allOf'].every((key) => !(key in copy));
  return (copy.type === 'object' && isBareObject ? { ...copy, additionalProperties: true } : copy) as Value;
}
