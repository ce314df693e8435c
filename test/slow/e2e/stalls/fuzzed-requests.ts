import { worstInHeader, worstInUrl, worstShapes, worstTexts } from './worst-inputs.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A request that is as bad as its place lets it be. */
export interface WorstRequest {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the answer, where it matters that the request got through. */
  readonly status?: number;
}

/** What the program knows that is asked about: values of path parameters, and who asks. */
export interface Ground {
  /** Whether a path is asked the same in whole elsewhere, so that some of the inputs are enough here. */
  isSample(path: string): boolean;
  readonly parameters: Readonly<Record<string, string>>;
  credentialsFor(operation: Operation): Readonly<Record<string, string>>;
}

const KIB = 1024;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Node takes 16 KiB of headers, the request's first line among them. */
const URL_BYTES = 12 * KIB;
/** A prime, so that a sample has each input somewhere. */
const SAMPLED = 7;
const SEGMENT_BYTES = 500;
/** What takes quadratic time takes seconds for so much already. */
const FIELD_BYTES = 60 * KIB;
const HEADERS = [
  'authorization',
  'x-api-key',
  'apikey',
  'x-service-org',
  'x-request-id',
  'traceparent',
  'x-forwarded-for',
  'x-forwarded-host',
  'idempotency-key',
  'last-event-id',
  'if-none-match',
  'accept',
  'accept-language',
  'cookie',
  'origin',
  'user-agent',
];

/** Bytes of the largest body that the route reads (docs/operating.md), less some for what stands around a field. */
function roomOf(method: string, path: string): number {
  if (path.startsWith('/jobs/v1/hooks/') || /\/trigger$/.test(path)) return 1020 * KIB;
  if (method === 'post' && path === '/jobs/v1/jobs') return 1020 * KIB;
  if (/\/templates\/|\/secrets\//.test(path)) return 250 * KIB;
  return 60 * KIB;
}

function resolved(schema: Schema, document: Document): Schema {
  const name = schema.$ref?.split('/').at(-1);
  const [only] = schema.allOf ?? [];
  if (name !== undefined) return resolved(document.components.schemas[name] ?? {}, document);
  return only === undefined ? schema : resolved(only, document);
}

/** Something of the schema's form; the first of several. */
function sample(given: Schema, document: Document): unknown {
  const schema = resolved(given, document);
  const [first] = schema.oneOf ?? [];
  if (first !== undefined) return sample(first, document);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties);
    return Object.fromEntries(fields.map(([name, field]) => [name, sample(field, document)]));
  }
  if (schema.type === 'array') return schema.items === undefined ? [] : [sample(schema.items, document)];
  if (schema.example !== undefined) return schema.example;
  if (schema.type === 'number') return 1;
  if (schema.type === 'boolean') return false;
  return schema.type === 'object' ? {} : 'a text';
}

const PLACE = '\ue000';

/** JSON text of a sample for each field of the schema, the place of the field's value marked. */
function samplesWithPlace(given: Schema, document: Document): [field: string, json: string][] {
  const schema = resolved(given, document);
  const quoted = JSON.stringify(PLACE);
  if (schema.oneOf !== undefined) return schema.oneOf.flatMap((one) => samplesWithPlace(one, document));
  if (schema.items !== undefined)
    return [
      ['[0]', `[${quoted}]`],
      ...samplesWithPlace(schema.items, document).map(([field, json]): [string, string] => [
        `[0]${field}`,
        `[${json}]`,
      ]),
    ];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const whole = sample(schema, document) as Record<string, unknown>;
    const around = (json: string): string =>
      JSON.stringify({ ...whole, [name]: PLACE }).replace(quoted, () => json);
    return [
      [`.${name}`, around(quoted)] as [string, string],
      ...samplesWithPlace(field, document).map(([inner, json]): [string, string] => [
        `.${name}${inner}`,
        around(json),
      ]),
    ];
  });
}

/** JSON text of every bad value of up to so many bytes; made once for each size. */
const worstValues = new Map<number, readonly (readonly [name: string, json: string])[]>();

function worstValuesOf(bytes: number): readonly (readonly [name: string, json: string])[] {
  const known = worstValues.get(bytes);
  if (known !== undefined) return known;
  const texts = worstTexts(bytes).map(([name, text]) => [name, JSON.stringify(text)] as const);
  const made = [...texts, ...worstShapes(bytes)];
  worstValues.set(bytes, made);
  return made;
}

function* jsonBodies(
  schema: Schema,
  document: Document,
  room: number,
): Generator<[title: string, body: string]> {
  const quoted = JSON.stringify(PLACE);
  for (const [field, json] of samplesWithPlace(schema, document))
    for (const [name, value] of worstValuesOf(Math.min(room, FIELD_BYTES)))
      yield [`${name} in ${field}`, json.replace(quoted, () => value)];
  for (const [name, body] of worstShapes(room)) yield [`a body of ${name}`, body];
}

function* formBodies(schema: Schema, document: Document): Generator<[title: string, body: string]> {
  const room = 15 * KIB;
  for (const name of Object.keys(resolved(schema, document).properties ?? {}))
    for (const [kind, text] of worstInUrl(room)) yield [`${kind} in ${name}`, `${name}=${text}`];
  yield ['many fields', Array.from({ length: room / 5 }, (_, index) => `${index.toString(36)}=`).join('&')];
}

/** Every operation of the document with the worst inputs in each place that it has. */
export function* worstRequests(document: Document, ground: Ground): Generator<WorstRequest> {
  for (const [template, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations))
      yield* ofOperation(template, method, operation, document, ground);
}

function* ofOperation(
  template: string,
  method: string,
  operation: Operation,
  document: Document,
  ground: Ground,
): Generator<WorstRequest> {
  const headers = ground.credentialsFor(operation);
  const path = (values: Readonly<Record<string, string>> = {}): string =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ground.parameters[name] ?? 'x');
  const request = (title: string, more: Partial<WorstRequest>): WorstRequest => ({
    title: `${method.toUpperCase()} ${template}: ${title}`,
    method: method.toUpperCase(),
    path: path(),
    headers,
    ...more,
  });
  const parametersIn = (place: string): string[] =>
    (operation.parameters ?? []).filter((each) => each.in === place).map(({ name }) => name);
  for (const name of parametersIn('path'))
    for (const [kind, text] of worstInUrl(SEGMENT_BYTES))
      yield request(`${kind} in {${name}}`, { path: path({ [name]: text }) });
  if (method === 'get') {
    for (const name of parametersIn('query'))
      for (const [kind, text] of worstInUrl(URL_BYTES))
        yield request(`${kind} in ?${name}`, { path: `${path()}?${name}=${text}` });
    const many = Array.from({ length: URL_BYTES / 5 }, (_, index) => `k${index.toString(36)}`);
    yield request('many unknown parameters', { path: `${path()}?${many.join('&')}` });
    for (const name of parametersIn('query').slice(0, 1))
      yield request('one parameter many times', { path: `${path()}?${`${name}=1&`.repeat(1500)}` });
  }
  let count = 0;
  for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
    const bodies =
      type === FORM_TYPE
        ? formBodies(schema, document)
        : jsonBodies(schema, document, roomOf(method, template));
    for (const [title, body] of bodies)
      if (!ground.isSample(template) || (count += 1) % SAMPLED === 0)
        yield request(title, { body, headers: { ...headers, 'content-type': type } });
  }
}

/** The worst inputs in every header that means something, at routes that look at them. */
export function* worstHeaders(
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
): Generator<WorstRequest> {
  for (const path of paths)
    for (const header of HEADERS)
      for (const [kind, text] of worstInHeader(8 * KIB)) {
        const value = header === 'authorization' ? `Bearer ${text}` : text;
        const title = `GET ${path}: ${kind} in ${header}`;
        yield { title, method: 'GET', path, headers: { ...headers, [header]: value } };
      }
  for (const [kind, text] of worstInHeader(8 * KIB)) {
    const headersOfBody = { 'content-type': `${JSON_TYPE}${text}` };
    yield {
      title: `${kind} in content-type`,
      method: 'POST',
      path: '/auth/v1/signup',
      headers: headersOfBody,
      body: '{}',
    };
  }
}
