import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

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
      if (operation !== undefined) changed[method] = completedOperation(operation);
    }
    return [path, changed];
  });
  return opened({ ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] });
}

function completedOperation(operation: Operation): Operation {
  const { security = [], parameters = [] } = operation;
  return {
    ...operation,
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
