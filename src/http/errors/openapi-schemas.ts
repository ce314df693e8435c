import type { OpenAPIObject } from '@nestjs/swagger';

export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const SCHEMAS = '#/components/schemas/';
/** The named schemas that are built here and not from classes. */
export const ERROR_REFERENCE = { $ref: `${SCHEMAS}Error` } as const;
export const JSON_REFERENCE = { $ref: `${SCHEMAS}Json` } as const;

export const NAMED_SCHEMAS: Schemas = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: {
          code: { type: 'string', description: 'Stable; what a program decides by.' },
          message: { type: 'string', description: 'For people; may change.' },
          status: { type: 'integer' },
          hint: { type: 'string', description: 'What to do next.' },
          details: {
            type: 'array',
            description: 'Every problem at once, at most 100 of them.',
            items: {
              type: 'object',
              required: ['path', 'message'],
              properties: { path: { type: 'string' }, message: { type: 'string' } },
            },
          },
          challenge: {
            type: 'object',
            description: 'With `second_factor_required` of a sign-in: what completes it, once.',
            required: ['token', 'factors', 'expires_at'],
            properties: {
              token: { type: 'string' },
              factors: {
                type: 'array',
                items: { type: 'string', enum: ['totp', 'passkey', 'recovery_code'] },
              },
              passkey_options: {
                type: 'object',
                description:
                  'What `navigator.credentials.get` takes as `publicKey`, in JSON; where the account has passkeys.',
              },
              expires_at: { type: 'string', format: 'date-time' },
            },
          },
          enrolment: {
            type: 'object',
            description:
              'With `second_factor_required` of a sign-in in a project that demands a factor: what adds the first one, once.',
            required: ['token', 'factors', 'expires_at'],
            properties: {
              token: { type: 'string' },
              factors: { type: 'array', items: { type: 'string', enum: ['totp', 'passkey'] } },
              expires_at: { type: 'string', format: 'date-time' },
            },
          },
        },
      },
    },
  },
  Json: { description: 'Any JSON value.' },
};

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy in which `change` was applied to each object, the innermost first. */
function rewritten(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rewritten(inner, change)])),
  );
}

/** An object schema without `properties` allows any. */
function opened(schema: Json): Json {
  const isBare = ['properties', 'additionalProperties', 'allOf'].every((key) => !(key in schema));
  return schema.type === 'object' && isBare ? { ...schema, additionalProperties: true } : schema;
}

/** The name of the object schema of a nullable property; null for any other schema. */
function nullableNameIn({ nullable, allOf }: Json): string | null {
  const [part, ...others] = Array.isArray(allOf) ? (allOf as unknown[]) : [];
  if (nullable !== true || others.length > 0 || !isObject(part) || typeof part.$ref !== 'string') return null;
  return part.$ref.slice(SCHEMAS.length);
}

/**
 * Adds what decorators cannot express in schemas. An object without declared fields allows any. A nullable object
 * becomes a schema of its own, `NullableRunDto`: next to a reference, `nullable` has no effect (in OpenAPI 3.0.3 it
 * adds null only to the `type` of the same schema).
 */
export function withCompleteSchemas(document: OpenAPIObject): OpenAPIObject {
  const nullable = new Set<string>();
  const completed = rewritten(document, (schema) => {
    const name = nullableNameIn(schema);
    if (name === null) return opened(schema);
    nullable.add(name);
    const others = Object.entries(schema).filter(([key]) => key !== 'nullable' && key !== 'type');
    return { ...Object.fromEntries(others), allOf: [{ $ref: `${SCHEMAS}Nullable${name}` }] };
  }) as OpenAPIObject;
  const text = JSON.stringify(completed);
  const schemas = Object.entries(completed.components?.schemas ?? {}).flatMap(([name, schema]) => {
    if (!nullable.has(name)) return [[name, schema]];
    const isUsed = text.includes(`"${SCHEMAS}${name}"`);
    return [...(isUsed ? [[name, schema]] : []), [`Nullable${name}`, { ...schema, nullable: true }]];
  });
  return {
    ...completed,
    components: { ...completed.components, schemas: Object.fromEntries(schemas) as Schemas },
  };
}
