import fc from 'fast-check';
import type { Schema } from './document.js';

/** Where the values of a schema come from besides itself. */
export interface Values {
  resolve(schema: Schema): Schema;
  /** Values that mean something to the program, for a field of this name; none where it has none. */
  known(name: string): readonly unknown[];
}

const MAX_ITEMS = 3;
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2035, 0);

function numberAt(schema: Schema, key: string): number | undefined {
  return typeof schema[key] === 'number' ? schema[key] : undefined;
}

function textOf(schema: Schema): fc.Arbitrary<unknown> {
  const minLength = numberAt(schema, 'minLength') ?? 0;
  const maxLength = Math.max(minLength, Math.min(numberAt(schema, 'maxLength') ?? 30, 40));
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern, 'u'));
  switch (schema.format) {
    case 'email':
      return fc.uuid().map((id) => `${id}@example.com`);
    case 'uuid':
      return fc.uuid();
    case 'uri':
      return fc.webUrl();
    case 'date-time':
      return fc.integer({ min: EARLIEST, max: LATEST }).map((at) => new Date(at).toISOString());
    default:
      return fc.string({ minLength, maxLength });
  }
}

function numberOf(schema: Schema): fc.Arbitrary<unknown> {
  const [min, max] = [numberAt(schema, 'minimum') ?? 0, numberAt(schema, 'maximum') ?? 1_000_000];
  if (schema.type === 'integer') return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
  return fc.double({ min, max, noNaN: true });
}

function listOf(schema: Schema, values: Values): fc.Arbitrary<unknown> {
  const minLength = numberAt(schema, 'minItems') ?? 0;
  const maxLength = Math.min(numberAt(schema, 'maxItems') ?? MAX_ITEMS, Math.max(minLength, MAX_ITEMS));
  const items = valueOf((schema.items ?? {}) as Schema, values);
  return schema.uniqueItems === true
    ? fc.uniqueArray(items, { minLength, maxLength, selector: (item) => JSON.stringify(item) })
    : fc.array(items, { minLength, maxLength });
}

function objectOf(schema: Schema, values: Values): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  if (properties.length === 0) {
    const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    const names = fc.string({ minLength: 1, maxLength: 10 });
    return fc.dictionary(names, valueOf(others as Schema, values), { maxKeys: 3 });
  }
  return fc.record(
    Object.fromEntries(properties.map(([name, property]) => [name, fieldOf(name, property, values)])),
    { requiredKeys: (schema.required ?? []) as string[] },
  );
}

/** Values of a field: mostly those that mean something, else whatever its schema lets through. */
export function fieldOf(name: string, schema: Schema, values: Values): fc.Arbitrary<unknown> {
  const known = values.known(name);
  const generated = { weight: 1, arbitrary: valueOf(schema, values) };
  return known.length === 0
    ? generated.arbitrary
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, generated);
}

function bySchema(schema: Schema, values: Values): fc.Arbitrary<unknown> {
  const { allOf, oneOf, anyOf, type } = schema as Record<string, readonly Schema[] | undefined>;
  const alternatives = allOf ?? oneOf ?? anyOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map((part) => valueOf(part, values)));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  switch (type as unknown) {
    case 'string':
      return textOf(schema);
    case 'number':
    case 'integer':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return listOf(schema, values);
    case 'object':
      return objectOf(schema, values);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Values that a schema lets through, its own example among them. */
export function valueOf(schema: Schema, values: Values): fc.Arbitrary<unknown> {
  const named = values.resolve(schema);
  const generated = bySchema(named, values);
  const withNull =
    named.nullable === true ? fc.oneof({ weight: 5, arbitrary: generated }, fc.constant(null)) : generated;
  return named.example === undefined
    ? withNull
    : fc.oneof({ weight: 2, arbitrary: fc.constant(named.example) }, { weight: 1, arbitrary: withNull });
}
