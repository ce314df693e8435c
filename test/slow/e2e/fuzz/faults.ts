import fc from 'fast-check';
import { hostileBody, hostileHeaderValue, hostileJson, hostilePart, hostileType } from './hostile.js';
import type { Operation, Parameter } from './document.js';
import type { Parts } from './requests.js';

/** One thing that is wrong with a request. */
export interface Fault {
  readonly name: string;
  spoil(parts: Parts): Parts;
}

/** Stands for the hostile value until the JSON text is made, which knows values that JavaScript does not. */
const PLACE = 'the place of a hostile value';

const HEADERS = [
  'Authorization',
  'X-API-Key',
  'apikey',
  'X-Service-Org',
  'Idempotency-Key',
  'Last-Event-ID',
  'If-None-Match',
  'X-Request-Id',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'traceparent',
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Cookie',
  'Expect',
  'Origin',
  'Range',
  'User-Agent',
  'X-Signature',
] as const;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'] as const;

/** The value with a member, or itself, replaced by what stands for the hostile one. */
function spoiltAt(value: unknown, choices: readonly number[]): unknown {
  const [choice = 0, ...further] = choices;
  if (typeof value !== 'object' || value === null || choices.length === 0) return PLACE;
  const entries = Object.entries(value);
  // One more than there are: a member that nobody asked for.
  const index = choice % (entries.length + 1);
  const [name, inner] = entries[index] ?? ['unasked', null];
  const changed = index === entries.length ? PLACE : spoiltAt(inner, further);
  if (Array.isArray(value))
    return index === entries.length ? [...(value as unknown[]), changed] : value.with(index, changed);
  return { ...value, [name]: changed };
}

/** Of a body that was spoilt already there may be nothing. */
const MAX_SPOILT = 10_000;

function jsonIn(body: Buffer): unknown {
  if (body.length > MAX_SPOILT) return null;
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

const inPath = fc.tuple(fc.nat(20), hostilePart).map(([choice, text]): Fault => ({
  name: 'a path',
  spoil: (parts) => {
    const places = parts.segments.flatMap(({ name }, index) => (name === undefined ? [] : [index]));
    const place = places[choice % Math.max(places.length, 1)];
    const isOneSegment = !/^\.*$|%2e|\/|\?|#/i.test(text);
    return place === undefined
      ? { ...parts, segments: [...parts.segments, { text }], isRouted: false }
      : {
          ...parts,
          segments: parts.segments.with(place, { ...parts.segments[place], text }),
          isRouted: parts.isRouted && isOneSegment,
        };
  },
}));

function namesIn(operation: Operation, where: Parameter['in']): string[] {
  return operation.parameters.filter((parameter) => parameter.in === where).map(({ name }) => name);
}

function inQuery(operation: Operation): fc.Arbitrary<Fault> {
  const documented = namesIn(operation, 'query');
  const names = [...documented, ...documented, 'limit', 'unasked', 'limit[]', 'a%00b', '__proto__'];
  const values = fc.oneof(hostilePart, fc.constantFrom('', '1e1', '%2B1', 'true', '1.0'));
  return fc.tuple(fc.constantFrom(...names), fc.boolean(), values).map(([name, isRepeated, value]) => ({
    name: 'a query',
    spoil: (parts) => {
      const kept = parts.query.filter(([other]) => isRepeated || other !== name);
      return { ...parts, query: [...kept, [name, value]] };
    },
  }));
}

function inHeader(operation: Operation): fc.Arbitrary<Fault> {
  const names = fc.constantFrom(...HEADERS, ...namesIn(operation, 'header'));
  return fc.tuple(names, hostileHeaderValue, fc.integer({ min: 1, max: 2 })).map(([name, value, times]) => ({
    name: `a header ${name}`,
    spoil: (parts) => ({
      ...parts,
      headers: [...parts.headers, ...Array.from({ length: times }, () => [name, value] as const)],
    }),
  }));
}

const manyHeaders = fc.integer({ min: 50, max: 300 }).map((count): Fault => ({
  name: 'many headers',
  spoil: (parts) => ({
    ...parts,
    headers: [
      ...parts.headers,
      ...Array.from({ length: count }, (_, index) => [`X-H${index}`, 'x'.repeat(100)] as const),
    ],
  }),
}));

const noCredentials = fc.constant<Fault>({
  name: 'no credentials',
  spoil: (parts) => ({ ...parts, credentials: () => [] }),
});

const inField = fc
  .tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }), hostileJson)
  .map(([choices, hostile]): Fault => ({
    name: 'a field',
    spoil: (parts) => {
      const text = JSON.stringify(spoiltAt(jsonIn(parts.body), choices));
      const body = Buffer.from(text.replace(JSON.stringify(PLACE), () => hostile));
      return { ...parts, body, contentType: 'application/json' };
    },
  }));

const inBody = fc.tuple(hostileBody, fc.boolean()).map(([body, isTyped]): Fault => ({
  name: 'a body',
  spoil: (parts) => ({ ...parts, body, contentType: isTyped ? 'application/json' : parts.contentType }),
}));

const inType = hostileType.map((contentType): Fault => ({
  name: 'a content type',
  spoil: (parts) => ({ ...parts, contentType }),
}));

const noBody = fc.constant<Fault>({
  name: 'no body',
  spoil: (parts) => ({ ...parts, body: Buffer.alloc(0), contentType: null }),
});

const inMethod = fc.constantFrom(...METHODS).map((method): Fault => ({
  name: `the method ${method}`,
  spoil: (parts) => ({ ...parts, method, isRouted: parts.isRouted && method === parts.method }),
}));

/** A fault, the likelier the more it has to get wrong. */
export function faultOf(operation: Operation): fc.Arbitrary<Fault> {
  return fc.oneof(
    { weight: 4, arbitrary: inPath },
    { weight: 3, arbitrary: inQuery(operation) },
    { weight: 4, arbitrary: inHeader(operation) },
    { weight: 8, arbitrary: inField },
    { weight: 3, arbitrary: inBody },
    { weight: 2, arbitrary: inType },
    { weight: 1, arbitrary: noBody },
    { weight: 1, arbitrary: noCredentials },
    { weight: 1, arbitrary: inMethod },
    { weight: 1, arbitrary: manyHeaders },
  );
}
