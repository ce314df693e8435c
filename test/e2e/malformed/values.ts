import { asOwner, askedByOwner, JSON_TYPE, posted, registered, signUpWith, triggered } from './case.js';
import type { Ground, MalformedRequest } from './case.js';

const KELVIN = '\u212a';
const JOB = { id: 'a', name: 'A', handler: 'echo' };
const BACKOFF = { type: 'exponential', initial_ms: 1, max_ms: 1, multiplier: 2 };

function invalid(
  title: string,
  request: (ground: Ground) => Buffer,
  paths: readonly string[],
): MalformedRequest {
  return { title, request, status: 400, code: 'validation_failed', paths };
}

function badEmail(title: string, email: string): MalformedRequest {
  return invalid(title, ({ marker }) => signUpWith({ email, password: marker }), ['email']);
}

function badPassword(title: string, password: string): MalformedRequest {
  return invalid(title, ({ marker }) => signUpWith({ email: `${marker}@example.com`, password }), [
    'password',
  ]);
}

function badOrganization(title: string, slug: string, name: string, paths: string[]): MalformedRequest {
  return invalid(
    title,
    (ground) => posted('/auth/v1/orgs', JSON.stringify({ slug, name }), [JSON_TYPE, ...asOwner(ground)]),
    paths,
  );
}

function badManifest(title: string, manifest: unknown, paths: readonly string[]): MalformedRequest {
  return invalid(title, (ground) => registered(ground, manifest), paths);
}

function badQuery(query: string, path: string): MalformedRequest {
  return invalid(`?${query}`, (ground) => askedByOwner(ground, `/jobs/v1/runs?${query}`), [path]);
}

function badGrant(title: string, query: string): MalformedRequest {
  return {
    title,
    request: ({ marker }) =>
      posted(`/auth/v1/token${query}`, JSON.stringify({ email: 'a@example.com', password: marker })),
    status: 400,
    code: 'unsupported_grant_type',
  };
}

/** Well-formed requests whose values no one can mean. */
export const malformedValues: readonly MalformedRequest[] = [
  badEmail('an address without @', 'ada.example.com'),
  badEmail('an address with two @', 'ada@b@example.com'),
  badEmail('an address without a domain', 'ada@'),
  badEmail('an address of 300 characters', `${'a'.repeat(288)}@example.com`),
  badEmail('a local part beyond ASCII', 'ädä@example.com'),
  badEmail('a KELVIN SIGN for a k', `mar${KELVIN}@example.com`),
  badEmail('a NUL in an address', 'ada\0@example.com'),
  badEmail('a line break in an address', 'ada@example.com\r\nBcc: eve@example.com'),
  badEmail('half a surrogate pair in an address', 'ada\ud800@example.com'),
  badEmail('an address of 60,000 characters', `a@${'漢'.repeat(20_000)}.example`),
  badPassword('a password of 60,000 combining marks', `a${'\u0315\u0300'.repeat(15_000)}`),
  badPassword('a short password', 'seven77'),
  badPassword('an empty password', ''),
  badPassword('a password of 1,025 bytes', 'p'.repeat(1025)),
  badPassword('a password of 400 characters but 1,200 bytes', '€'.repeat(400)),
  badPassword('a NUL in a password', 'long\0enough'),
  badPassword('half a surrogate pair in a password', 'long\udfffenough'),
  badGrant('no grant type', ''),
  badGrant('an unknown grant type', '?grant_type=client_credentials'),
  badGrant('two grant types', '?grant_type=password&grant_type=password'),
  badGrant('a grant type that every object has', '?grant_type=constructor'),
  {
    title: 'an invalid refresh token',
    request: ({ marker }) =>
      posted('/auth/v1/token?grant_type=refresh_token', JSON.stringify({ refresh_token: marker })),
    status: 401,
    code: 'invalid_refresh_token',
  },
  invalid(
    'a refresh token that is a number',
    () => posted('/auth/v1/token?grant_type=refresh_token', '{"refresh_token":1}'),
    ['refresh_token'],
  ),
  badOrganization('a slug of the form of a UUID', '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11', 'A', ['slug']),
  badOrganization('a slug in capitals', 'Acme', 'A', ['slug']),
  badOrganization('a slug of 64 characters', 'a'.repeat(64), 'A', ['slug']),
  badOrganization('a slug of 60,000 characters', 'a-'.repeat(30_000), 'A', ['slug']),
  badOrganization('a slug with two hyphens together, and a blank name', 'a--b', '  ', ['slug', 'name']),
  badOrganization('a NUL in a name', 'acme', 'Ac\0me', ['name']),
  badManifest('a manifest without jobs', {}, ['jobs']),
  badManifest('jobs that are no list', { jobs: { length: 1, 0: JOB } }, ['jobs']),
  badManifest('jobs that are no objects', { jobs: [null, 'a', 1, [], true] }, [
    'jobs[0]',
    'jobs[1]',
    'jobs[2]',
    'jobs[3]',
    'jobs[4]',
  ]),
  badManifest(
    'a manifest with a fault in each of three jobs, and one beside them',
    {
      jobs: [
        { ...JOB, id: '-a' },
        { ...JOB, id: 'b', retries: -1, timeout_ms: '5' },
        { ...JOB, id: 'c', retry_backoff: { ...BACKOFF, type: 'linear', max_ms: 1.5, factor: 3 } },
      ],
      version: 2,
    },
    [
      'jobs[0].id',
      'jobs[1].retries',
      'jobs[1].timeout_ms',
      'jobs[2].retry_backoff.factor',
      'jobs[2].retry_backoff.max_ms',
      'jobs[2].retry_backoff.type',
      'version',
    ],
  ),
  badManifest(
    'one id for two jobs, and a handler that is not deployed',
    { jobs: [JOB, { ...JOB, handler: 'x' }] },
    ['jobs[1].id', 'jobs[1].handler'],
  ),
  badManifest('a handler that every object has', { jobs: [{ ...JOB, handler: 'constructor' }] }, [
    'jobs[0].handler',
  ]),
  badManifest('a backoff that is text', { jobs: [{ ...JOB, retry_backoff: 'slow' }] }, [
    'jobs[0].retry_backoff',
  ]),
  badManifest('a backoff that is a list', { jobs: [{ ...JOB, retry_backoff: [BACKOFF] }] }, [
    'jobs[0].retry_backoff',
  ]),
  badManifest('a job with a field named constructor', { jobs: [{ ...JOB, constructor: 1 }] }, [
    'jobs[0].constructor',
  ]),
  badManifest('a NUL in the name of a job', { jobs: [{ ...JOB, name: 'A\0' }] }, ['jobs[0].name']),
  badManifest('retries of 101', { jobs: [{ ...JOB, retries: 101 }] }, ['jobs[0].retries']),
  invalid('a number beyond all bounds', (ground) => triggered(ground, '{"delay_ms":1e400}'), ['delay_ms']),
  invalid('a delay of less than nothing', (ground) => triggered(ground, '{"delay_ms":-1}'), ['delay_ms']),
  invalid(
    'an idempotency key of 256 characters',
    (ground) => triggered(ground, '{}', [`Idempotency-Key: ${'k'.repeat(256)}`]),
    ['Idempotency-Key'],
  ),
  invalid('an empty idempotency key', (ground) => triggered(ground, '{}', ['Idempotency-Key:']), [
    'Idempotency-Key',
  ]),
  invalid(
    'null for what may be left out',
    (ground) => triggered(ground, '{"payload":null,"delay_ms":null}'),
    ['payload', 'delay_ms'],
  ),
  {
    title: 'an unknown job',
    request: (ground) => posted('/jobs/v1/jobs/unknown/trigger', '{}', [JSON_TYPE, ...asOwner(ground)]),
    status: 404,
    code: 'job_not_found',
  },
  badQuery('limit=0', 'limit'),
  badQuery('limit=101', 'limit'),
  badQuery('limit=-1', 'limit'),
  badQuery('limit=abc', 'limit'),
  badQuery('limit=1.5', 'limit'),
  badQuery('limit=', 'limit'),
  badQuery('limit=1&limit=2', 'limit'),
  badQuery('limit=%00', 'limit'),
  badQuery('limit=1e400', 'limit'),
  badQuery('cursor=nonsense', 'cursor'),
  badQuery('cursor=%zz', 'cursor'),
  badQuery(`cursor=${Buffer.from("run_' OR 1=1").toString('base64url')}`, 'cursor'),
  badQuery('cursor=a&cursor=b', 'cursor'),
  badQuery('cursor=%00', 'cursor'),
  badQuery(`cursor=${'c'.repeat(600)}`, 'cursor'),
  badQuery('sort=up', 'sort'),
  badQuery('__proto__=1', '__proto__'),
];
