import { createHmac } from 'node:crypto';
import { Client, PASSWORD, signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { IS_EXHAUSTIVE } from '../support/exhaustive.js';
import { fetch } from '../../support/fetch.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import { worstHeaders, worstRequests } from './stalls/fuzzed-requests.js';
import type { Document, Ground, Operation, WorstRequest } from './stalls/fuzzed-requests.js';
import { MeteredService } from './stalls/metered-service.js';

/** The most that one request may keep all others waiting (contract, section 9.1), milliseconds. */
const MOST_MS = 50;
/** Where the machine is slow, a request may take as long as the program parses so many mebibytes of JSON meanwhile. */
const MOST_PARSES = 8;
/** A turn is longer where code runs for the first time or memory is cleaned up; a slow request is slow each time. */
const TRIES = 5;
/** Requests that are sent at one time, so long as their bodies are not too much at once. */
const TOGETHER = 24;
const BYTES_TOGETHER = 1_500_000;
const MOST_ERROR_BYTES = 65_536;

const OPERATOR = 'operator-of-the-suite-of-stalls';
const HOOK_SECRET = 'the secret of the hook';

/** What came of all of the requests: which hold the loop, and which answer what they should not. */
interface Findings {
  readonly asked: number;
  readonly stalls: string[];
  readonly failures: string[];
}

class Fuzzer {
  private readonly failures: string[] = [];

  constructor(
    private readonly service: MeteredService,
    private readonly document: Document,
    private readonly ground: Ground,
  ) {}

  async ask(requests: Iterable<WorstRequest>, together = TOGETHER): Promise<Findings> {
    const stalls: string[] = [];
    let asked = 0;
    let batch: WorstRequest[] = [];
    const settle = async (): Promise<void> => {
      const suspects = batch;
      batch = [];
      asked += suspects.length;
      const longest = await this.service.longestTurn(() =>
        Promise.all(suspects.map((request) => this.send(request))),
      );
      if (longest > MOST_MS)
        for (const request of suspects) {
          const alone = await this.leastTurn(request);
          if (alone <= MOST_MS) continue;
          const most = Math.max(MOST_MS, MOST_PARSES * (await this.service.parseTime()));
          if (alone > most) stalls.push(`${Math.round(alone)} ms of ${Math.round(most)}: ${request.title}`);
        }
    };
    let bytes = 0;
    for (const request of requests) {
      bytes += request.body?.length ?? 0;
      if (batch.push(request) < together && bytes < BYTES_TOGETHER) continue;
      await settle();
      bytes = 0;
    }
    await settle();
    return { asked, stalls, failures: this.failures };
  }

  everyField(): Iterable<WorstRequest> {
    return worstRequests(this.document, this.ground);
  }

  private async leastTurn(request: WorstRequest): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let count = 0; count < TRIES && least > MOST_MS; count += 1)
      least = Math.min(least, await this.service.longestTurn(() => this.send(request)));
    return least;
  }

  private async send({ title, method, path, headers, body, status }: WorstRequest): Promise<void> {
    const answer = await fetch(`${this.service.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    }).catch(() => null);
    // Where the body is refused before it is read, the connection may close on whoever still writes.
    if (answer === null) return;
    const text = await answer.text();
    const isTooLong = answer.status >= 400 && Buffer.byteLength(text) > MOST_ERROR_BYTES;
    if (answer.status >= 500 || isTooLong || (status !== undefined && answer.status !== status))
      this.failures.push(`${answer.status}, ${text.length} characters: ${title}`);
  }
}

async function documentOf(url: string): Promise<Document> {
  return (await new Client(url).get<Document>('/openapi.json')).body;
}

const MANIFEST = {
  jobs: [
    {
      id: 'hooked',
      name: 'Hooked',
      handler: 'echo',
      triggers: [
        { type: 'cron', schedule: '0 0 29 2 1', timezone: 'Australia/Lord_Howe' },
        {
          type: 'webhook',
          path: '/hooks/hooked',
          verify: { type: 'hmac', header: 'X-Signature', secret: 'vault:signature' },
        },
      ],
    },
  ],
};

async function prepareJob(client: Client): Promise<void> {
  const made = await client.send('PUT', '/vault/v1/secrets/signature', { value: HOOK_SECRET });
  const registered = await client.post('/jobs/v1/jobs', MANIFEST);
  if (made.status !== 204 || registered.status !== 200)
    throw new Error(
      `preparing answered ${made.status} and ${registered.status}: ${JSON.stringify(registered.body)}`,
    );
}

const TOO_MANY = 'a form of 200,000 fields';

/** Calls of a hook that are signed, so that all of their body is read. */
function* signedCalls(headers: Readonly<Record<string, string>>): Generator<WorstRequest> {
  const bodies: [title: string, type: string, body: string][] = [
    [
      'a form of 10,000 fields, each another',
      'application/x-www-form-urlencoded',
      manyFields(10_000, (index) => `k${index.toString(36)}=1`),
    ],
    [
      'a form of 10,000 times one field',
      'application/x-www-form-urlencoded',
      manyFields(10_000, () => 'a=1'),
    ],
    [TOO_MANY, 'application/x-www-form-urlencoded', manyFields(200_000, (index) => index.toString(36))],
    ['a form of one field of escapes', 'application/x-www-form-urlencoded', `a=${'%41'.repeat(340_000)}`],
    [
      'JSON of many names',
      'application/json',
      `{${manyFields(100_000, (index) => `"${index.toString(36)}":0`).replaceAll('&', ',')}}`,
    ],
    ['JSON of many lists', 'application/json', `[${'[],'.repeat(340_000)}1]`],
  ];
  for (const [title, type, body] of bodies) {
    const signature = createHmac('sha256', HOOK_SECRET).update(body).digest('hex');
    yield {
      title: `a signed call with ${title}`,
      method: 'POST',
      path: '/jobs/v1/hooks/hooked',
      headers: { ...headers, 'content-type': type, 'x-signature': signature },
      body,
      status: title === TOO_MANY ? 413 : 202,
    };
  }
}

function manyFields(count: number, field: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => field(index)).join('&');
}

/** As many jobs as a tenant may have, with as much in each as fits: registered, left as they are, changed, listed. */
function* aTenantInFull(headers: Readonly<Record<string, string>>): Generator<WorstRequest> {
  const jobs = (name: string): unknown[] =>
    Array.from({ length: 2_000 }, (_, index) => ({
      id: `job-${index}`,
      name,
      handler: 'echo',
      triggers: [
        {
          type: 'cron',
          schedule: `${index % 60} 0 29 2 *`,
          timezone: 'Australia/Lord_Howe',
          payload: { a: 'b'.repeat(200) },
        },
      ],
    }));
  const asJson = { ...headers, 'content-type': 'application/json' };
  for (const name of ['First', 'First', 'Second', 'Third', 'Fourth', 'Fifth'])
    yield {
      title: `2,000 jobs named ${name}`,
      method: 'POST',
      path: '/jobs/v1/jobs',
      headers: asJson,
      body: JSON.stringify({ jobs: jobs(name) }),
      status: 200,
    };
  const payload = 'x'.repeat(9_900);
  const heavy = Array.from({ length: 100 }, (_, index) => ({
    id: `a${index}`,
    name: 'Heavy',
    handler: 'echo',
    triggers: [{ type: 'cron', schedule: '0 0 1 1 *', payload: { payload } }],
  }));
  yield {
    title: '100 jobs of 10 KB',
    method: 'POST',
    path: '/jobs/v1/jobs',
    headers: asJson,
    body: JSON.stringify({ jobs: heavy }),
    status: 200,
  };
  for (const path of ['/jobs/v1/jobs?limit=100', '/jobs/v1/runs?limit=100'])
    yield { title: `GET ${path}`, method: 'GET', path, headers, status: 200 };
}

/** Manifests that are large, and good but for one place at the end. */
function* largeManifests(headers: Readonly<Record<string, string>>): Generator<WorstRequest> {
  const jobs = (count: number, more: Record<string, unknown>): unknown[] =>
    Array.from({ length: count }, (_, index) => ({ id: `j${index}`, name: 'n', handler: 'echo', ...more }));
  const triggers = (count: number, trigger: object): unknown[] =>
    Array.from({ length: count }, () => trigger);
  const manifests: [title: string, jobs: unknown[]][] = [
    ['10,000 jobs', jobs(10_000, {})],
    ['10,000 jobs, each of a field too many', jobs(9_000, { x: 1 })],
    [
      'schedules that take long to reckon',
      jobs(5, {
        triggers: triggers(100, { type: 'cron', schedule: '* 0 29 2 *', timezone: 'Africa/Monrovia' }),
      }),
    ],
    [
      'schedules that never come',
      jobs(5, { triggers: triggers(100, { type: 'cron', schedule: '0 0 31 2,4,6,9,11 *' }) }),
    ],
    [
      'tables of many columns',
      jobs(20, {
        triggers: triggers(4, {
          type: 'data',
          table: 'service.users',
          events: ['insert'],
          columns: Array.from({ length: 1000 }, (_, index) => `c${index}`),
        }),
      }),
    ],
    [
      'webhooks of one path',
      jobs(50, { triggers: triggers(100, { type: 'webhook', path: '/hooks/a', verify: { type: 'hmac' } }) }),
    ],
  ];
  for (const [title, all] of manifests)
    yield {
      title: `a manifest of ${title}`,
      method: 'POST',
      path: '/jobs/v1/jobs',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ jobs: [...all, { id: 'last' }] }),
    };
}

describe('no request holds the event loop for more than 50 ms', () => {
  let environment: TestEnvironment;
  let service: MeteredService;

  async function start(made: TestEnvironment): Promise<void> {
    environment = made;
    await environment.deploy('echo', 'export default async () => Response.json({})');
    service = await MeteredService.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_LIMITS__JOBS: '0',
      SERVICE_ADMIN__TOKEN: OPERATOR,
      SERVICE_SERVER__TRUST_PROXY: '1',
      SERVICE_LOG__LEVEL: 'warn',
    });
  }

  afterEach(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('in the organization profile, whatever is in any field, list, path, query or header of it', async () => {
    await start(await createEnvironment());
    const { client, slug, userId } = await signUpOwner(service.url);
    await prepareJob(client);
    const ground: Ground = {
      // The other profile asks all of what both have for accounts.
      isSample: (path) => !IS_EXHAUSTIVE && /^\/(?:auth|admin)\//.test(path),
      parameters: { org: slug, id: 'hooked', user_id: userId, path: 'hook', name: 'hooked' },
      credentialsFor: ({ security = [] }: Operation) =>
        security.some((each) => 'admin' in each)
          ? { authorization: `Bearer ${OPERATOR}` }
          : security.length > 0
            ? client.headers
            : {},
    };
    const fuzzer = new Fuzzer(service, await documentOf(service.url), ground);
    const signed = await fuzzer.ask(signedCalls({}), 1);
    const inFields = await fuzzer.ask(fuzzer.everyField());
    const inHeaders = await fuzzer.ask(worstHeaders(['/auth/v1/user', '/jobs/v1/runs'], client.headers));
    const large = await fuzzer.ask(largeManifests(client.headers), 1);
    const full = await fuzzer.ask(
      [
        ...aTenantInFull(client.headers),
        {
          title: 'the audit trail',
          method: 'GET',
          path: `/auth/v1/orgs/${slug}/audit?limit=100`,
          headers: client.headers,
          status: 200,
        },
      ],
      1,
    );
    expect([signed, inFields, inHeaders, large, full].flatMap(({ stalls }) => stalls)).toEqual([]);
    expect(full.failures).toEqual([]);
    expect(inFields.asked).toBeGreaterThan(IS_EXHAUSTIVE ? 1000 : 300);
    // The credentials held all along, so that it was the fields which were looked at.
    expect((await client.get('/auth/v1/permissions')).status).toBe(200);
    expect((await new Client(service.url).as(OPERATOR).get('/admin/v1/users')).status).toBe(200);
  }, 480_000);

  it('in the project profile, whatever is in any field, list, path, query or header of it', async () => {
    await start(await createProjectEnvironment());
    const project = await createProject(service.url, OPERATOR);
    await prepareJob(project.service);
    const signedUp = await project.anon.post<{ access_token: string }>('/auth/v1/signup', {
      email: 'ada@example.org',
      password: PASSWORD,
    });
    const user = { authorization: `Bearer ${signedUp.body.access_token}` };
    const ground: Ground = {
      // Both profiles have the same jobs and secrets.
      isSample: (path) => /^\/(?:jobs|vault)\//.test(path),
      parameters: { ref: project.ref, id: 'hooked', path: 'hook', name: 'invite' },
      credentialsFor: ({ security = [] }: Operation) => {
        if (security.some((each) => 'admin' in each)) return { authorization: `Bearer ${OPERATOR}` };
        if (security.some((each) => 'project_key' in each)) return project.service.headers;
        return security.length > 0 ? user : {};
      },
    };
    const fuzzer = new Fuzzer(service, await documentOf(service.url), ground);
    const inFields = await fuzzer.ask(fuzzer.everyField());
    const inHeaders = await fuzzer.ask(worstHeaders(['/auth/v1/user'], user));
    expect([inFields, inHeaders].flatMap(({ stalls }) => stalls)).toEqual([]);
    expect(inHeaders.failures).toEqual([]);
    expect((await project.service.get('/jobs/v1/jobs')).status).toBe(200);
    expect((await new Client(service.url).as(OPERATOR).get('/admin/v1/projects')).status).toBe(200);
  }, 480_000);
});
