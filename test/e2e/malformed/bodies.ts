import { JSON_TYPE, posted, registered, signUpWith, triggered } from './case.js';
import type { Ground, MalformedRequest } from './case.js';

const SIGN_UP = '/auth/v1/signup';
const DEPTH = 10_000;
const LIMIT = 1024 * 1024;

function badJson(title: string, body: string | Buffer): MalformedRequest {
  return { title, request: () => posted(SIGN_UP, body), status: 400, code: 'invalid_json' };
}

function mediaType(title: string, body: string, headers: readonly string[]): MalformedRequest {
  return {
    title,
    request: () => posted(SIGN_UP, body, headers),
    status: 415,
    code: 'unsupported_media_type',
  };
}

function wrongBody(title: string, body: string, paths: readonly string[]): MalformedRequest {
  return { title, request: () => posted(SIGN_UP, body), status: 400, code: 'validation_failed', paths };
}

function withMetadata(ground: Ground, metadata: string): Buffer {
  return posted(
    SIGN_UP,
    `{"email":"${ground.marker}@example.com","password":"${ground.marker}","metadata":${metadata}}`,
  );
}

function manyFields(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`f${index}`, 1]);
}

function chunkedOverLimit(): Buffer {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const chunks = Array.from({ length: 20 }, () =>
    Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]),
  );
  return posted(SIGN_UP, Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]), [
    JSON_TYPE,
    'Transfer-Encoding: chunked',
  ]);
}

/** Bodies that are not the JSON object that a route takes. */
export const malformedBodies: readonly MalformedRequest[] = [
  badJson('JSON with a stray comma', '{"email":"a@example.com",}'),
  badJson('truncated JSON', '{"email":"a@example.com","passw'),
  badJson('a body of white space', ' \n '),
  badJson('two JSON documents', '{}{}'),
  badJson('JSON with a comment', '{/* hello */}'),
  badJson('a NUL byte between tokens', '{"email":\0"a@example.com"}'),
  badJson('invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])),
  badJson('UTF-16 without its mark', Buffer.from('{"email":"a@example.com"}', 'utf16le')),
  badJson('objects nested 10,000 deep', `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`),
  badJson('lists nested 10,000 deep', `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`),
  badJson('10,000 open brackets', '['.repeat(DEPTH)),
  badJson('the key __proto__', '{"__proto__":{"email":"a@example.com"}}'),
  badJson('an escaped key __proto__', '{"\\u005f_proto__":{"email":"a@example.com"}}'),
  badJson('a prototype under the key constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'),
  {
    title: 'NUL within metadata',
    request: (ground) => withMetadata(ground, '{"a":["\\u0000"]}'),
    status: 400,
    code: 'validation_failed',
    paths: ['metadata.a[0]'],
  },
  {
    title: 'NUL in a key within metadata',
    request: (ground) => withMetadata(ground, '{"a":{"\\u0000":1}}'),
    status: 400,
    code: 'validation_failed',
    paths: ['metadata.a'],
  },
  {
    title: 'half a surrogate pair within metadata',
    request: (ground) => withMetadata(ground, '{"a":"\\ud800"}'),
    status: 400,
    code: 'validation_failed',
    paths: ['metadata.a'],
  },
  {
    title: 'a payload that is a list',
    request: (ground) => triggered(ground, '{"payload":[1]}'),
    status: 400,
    code: 'validation_failed',
    paths: ['payload'],
  },
  {
    title: 'a trigger body of null',
    request: (ground) => triggered(ground, 'null'),
    status: 400,
    code: 'validation_failed',
    paths: [''],
  },
  wrongBody('the body null', 'null', ['']),
  wrongBody('a list as body', '[{"email":"a@example.com"}]', ['']),
  wrongBody('text as body', '"hello"', ['']),
  wrongBody('a number as body', '1e400', ['']),
  wrongBody('an object without fields', '{}', ['email', 'password']),
  wrongBody('fields of the wrong types', '{"email":{"a":1},"password":12345678,"metadata":[]}', [
    'email',
    'password',
    'metadata',
  ]),
  wrongBody('lists where text belongs', '{"email":["a@example.com"],"password":["longenough"]}', [
    'email',
    'password',
  ]),
  {
    title: 'unknown fields, all of them at once',
    request: ({ marker }) =>
      signUpWith({ email: 'a@example.com', password: marker, role: 'admin', toString: 1, then: 2 }),
    status: 400,
    code: 'validation_failed',
    paths: ['role', 'toString', 'then'],
  },
  {
    title: 'a field named constructor',
    request: ({ marker }) => signUpWith({ email: 'a@example.com', password: marker, constructor: 'Object' }),
    status: 400,
    code: 'validation_failed',
    paths: ['constructor'],
  },
  {
    title: 'a field named hasOwnProperty',
    request: ({ marker }) => signUpWith({ email: 'a@example.com', password: marker, hasOwnProperty: 1 }),
    status: 400,
    code: 'validation_failed',
    paths: ['hasOwnProperty'],
  },
  {
    title: 'a NUL in the name of a field',
    request: ({ marker }) => signUpWith({ email: 'a@example.com', password: marker, 'me\0tadata': 1 }),
    status: 400,
    code: 'validation_failed',
    paths: ['me\0tadata'],
  },
  {
    title: 'a body of more than 64 KiB',
    request: () => posted(SIGN_UP, JSON.stringify({ email: 'x'.repeat(64 * 1024) })),
    status: 413,
    code: 'payload_too_large',
  },
  {
    title: 'a manifest of more than 100,000 names and values',
    request: (ground) => registered(ground, { jobs: [], ...Object.fromEntries(manyFields(50_000)) }),
    status: 413,
    code: 'payload_too_large',
  },
  {
    title: 'a trigger of many fields beside the payload',
    request: (ground) => triggered(ground, JSON.stringify(Object.fromEntries(manyFields(100)))),
    status: 413,
    code: 'payload_too_large',
  },
  {
    title: 'unknown fields, a hundred of them and the number of the rest',
    request: () => signUpWith({ email: 1, password: 1, ...Object.fromEntries(manyFields(200)) }),
    status: 400,
    code: 'validation_failed',
    paths: [...manyFields(100).map(([name]) => name), ''],
  },
  {
    title: 'a body of 2 MiB',
    request: () => posted(SIGN_UP, JSON.stringify({ email: 'x'.repeat(2 * LIMIT) })),
    status: 413,
    code: 'payload_too_large',
  },
  {
    title: 'a chunked body over the limit',
    request: chunkedOverLimit,
    status: 413,
    code: 'payload_too_large',
  },
  {
    title: 'an announced length over the limit',
    request: () => posted(SIGN_UP, '{', [JSON_TYPE, `Content-Length: ${LIMIT + 1}`]),
    status: 413,
    code: 'payload_too_large',
  },
  mediaType('plain text', '{"email":"a@example.com"}', ['Content-Type: text/plain']),
  mediaType('a form', 'email=a%40example.com', ['Content-Type: application/x-www-form-urlencoded']),
  mediaType('a multipart form', '--b\r\n\r\n--b--', ['Content-Type: multipart/form-data; boundary=b']),
  mediaType('a body without a type', '{"email":"a@example.com"}', []),
  mediaType('a type that merely begins like JSON', '{}', ['Content-Type: application/jsonp']),
  mediaType('a content type that is none', '{}', ['Content-Type: ,;/']),
];
