import fc from 'fast-check';
import { rawRequest } from '../../../support/raw-http.js';
import type { Operation, Parameter } from './document.js';
import { faultOf } from './faults.js';
import type { Credentials, Ground } from './ground.js';
import { fieldOf, valueOf } from './schema-values.js';
import type { Values } from './schema-values.js';

/** A request, in parts that can be spoilt one by one. */
export interface Parts {
  readonly method: string;
  /** The path's segments, percent-encoded; `name` of those that stand for a parameter. */
  readonly segments: readonly { readonly text: string; readonly name?: string }[];
  /** Names and values of the query, percent-encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly credentials: Credentials;
  readonly body: Buffer;
  readonly contentType: string | null;
  /** Whether the path is still one of the operation's. */
  readonly isRouted: boolean;
}

/** A request to be sent, and what of it is known. */
export interface FuzzRequest {
  readonly operation: Operation;
  readonly parts: Parts;
  /** What is wrong with it; null where it is meant to be good. */
  readonly fault: string | null;
}

const FORM = 'application/x-www-form-urlencoded';

function parametersIn(operation: Operation, where: Parameter['in']): Parameter[] {
  return operation.parameters.filter((parameter) => parameter.in === where);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Some of the parameters that may be left out, and all others. */
function valuesOf(
  parameters: readonly Parameter[],
  values: Values,
): fc.Arbitrary<(readonly [name: string, value: string])[]> {
  const one = (parameter: Parameter): fc.Arbitrary<(readonly [string, string])[]> => {
    const value = fieldOf(parameter.name, parameter.schema, values).map((found) => {
      const fields = typeof found === 'object' && found !== null ? Object.entries(found) : null;
      return (fields ?? [[parameter.name, found]]).map(([name, text]) => [name, textOf(text)] as const);
    });
    return parameter.required === true
      ? value
      : fc.oneof({ weight: 2, arbitrary: fc.constant<(readonly [string, string])[]>([]) }, value);
  };
  return fc.tuple(...parameters.map(one)).map((found) => found.flat());
}

function segmentsOf(operation: Operation, values: Values): fc.Arbitrary<Parts['segments']> {
  const parameters = parametersIn(operation, 'path');
  const texts = operation.path.slice(1).split('/');
  return fc.tuple(
    ...texts.map((text) => {
      const name = /^\{(\w+)\}$/.exec(text)?.[1];
      const schema = parameters.find((parameter) => parameter.name === name)?.schema;
      if (name === undefined || schema === undefined) return fc.constant({ text });
      return fieldOf(name, { minLength: 1, ...schema }, values)
        .filter((value) => textOf(value).isWellFormed())
        .map((value) => ({ text: encodeURIComponent(textOf(value)), name }));
    }),
  );
}

function encoded(type: string, value: unknown): Buffer {
  if (type !== FORM) return Buffer.from(JSON.stringify(value));
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Buffer.from(
    new URLSearchParams(fields.map(([name, text]): [string, string] => [name, textOf(text)])).toString(),
  );
}

function bodyOf(
  { body, method }: Operation,
  values: Values,
): fc.Arbitrary<Pick<Parts, 'body' | 'contentType'>> {
  const none = fc.constantFrom<Pick<Parts, 'body' | 'contentType'>>(
    { body: Buffer.alloc(0), contentType: null },
    ...(method === 'GET' ? [] : [{ body: Buffer.alloc(0), contentType: 'application/json' }]),
  );
  if (body === null) return none;
  const some = Object.entries(body.content).map(([contentType, { schema }]) =>
    valueOf(schema ?? {}, values).map((value) => ({
      body: encoded(contentType, value),
      contentType,
    })),
  );
  return body.required === true ? fc.oneof(...some) : fc.oneof(none, ...some);
}

/** Requests that an operation should take, by its document and by what is known. */
function goodParts(operation: Operation, ground: Ground, resolve: Values['resolve']): fc.Arbitrary<Parts> {
  const values: Values = { resolve, known: (name) => ground.known(operation, name) };
  const query = valuesOf(parametersIn(operation, 'query'), values).map((pairs) =>
    pairs
      .filter(([name, value]) => name.isWellFormed() && value.isWellFormed())
      .map(([name, value]) => [encodeURIComponent(name), encodeURIComponent(value)] as const),
  );
  const headers = valuesOf(parametersIn(operation, 'header'), values).map((pairs) =>
    // What is no text of a header is a fault of its own.
    pairs.filter(([, value]) => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)),
  );
  return fc
    .record({
      segments: segmentsOf(operation, values),
      query,
      headers,
      credentials: fc.constantFrom(...ground.credentials(operation)),
      body: bodyOf(operation, values),
    })
    .map(({ body, ...rest }) => ({ method: operation.method, isRouted: true, ...rest, ...body }));
}

/** Requests of one operation: about half of them good, the others with one fault or several. */
export function requestsOf(
  operation: Operation,
  ground: Ground,
  resolve: Values['resolve'],
): fc.Arbitrary<FuzzRequest> {
  const good = goodParts(operation, ground, resolve);
  const request = (parts: Parts, fault: string | null): FuzzRequest => ({ operation, parts, fault });
  const spoilt = fc
    .tuple(
      good,
      fc.oneof(
        { weight: 3, arbitrary: fc.tuple(faultOf(operation)) },
        fc.array(faultOf(operation), { minLength: 2, maxLength: 4 }),
      ),
    )
    .map(([parts, faults]) =>
      request(
        faults.reduce((spoiled, fault) => fault.spoil(spoiled), parts),
        faults.map(({ name }) => name).join(', '),
      ),
    );
  return fc.oneof(
    good.map((parts) => request(parts, null)),
    spoilt,
  );
}

/** The bytes of a request. */
export function bytesOf({ parts }: FuzzRequest): Buffer {
  const { method, segments, query, headers, credentials, body, contentType } = parts;
  const path = `/${segments.map(({ text }) => text).join('/')}`;
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  return rawRequest(
    method,
    search === '' ? path : `${path}?${search}`,
    [
      ...credentials(body),
      ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ],
    body,
  );
}
