import type { Browser, BrowserContext, Page } from 'playwright-core';
import type * as ClientModule from '../../../client/src/index.js';
import { startBrowser } from '../../support/browser.js';
import { PageServer } from '../../support/browser-page.js';
import { Client, PASSWORD } from '../../support/client.js';
import { ClientProject } from '../../support/client-package.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { authEvents } from '../../support/metrics.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const TTL_SECS = 3;
const TABS = 5;

/** What a page of the tests has. */
interface PageGlobals {
  client: typeof ClientModule;
}

const GREET = `export default async (request) => {
  const { name } = await request.json();
  console.log('greeting ' + name);
  return Response.json({ ok: true, greeting: 'Hello, ' + name + '!' });
}`;

const WALK = `
  const client = createClient({ url: process.argv[2] });
  const email = process.argv[3];
  await client.auth.signUp({ email, password: '${PASSWORD}' });
  const { slug } = await client.orgs.create({ slug: process.argv[4], name: 'Walk' });
  const inside = client.inOrg(slug);
  await inside.jobs.register([{ id: 'greet', name: 'Greet', handler: 'greet' }]);
  const run = await inside.jobs.trigger('greet', { name: 'Ada' });
  const ended = await inside.runs.wait(run.id);
  const refused = await inside.jobs.get('none').catch((error) => error);
  console.log(JSON.stringify({
    status: ended.status,
    result: ended.result,
    refusal: [refused instanceof ServiceError, refused.code, refused.status],
    verify: [typeof createVerifier, typeof verifyHandlerCall],
  }));`;

const WALKED = {
  status: 'completed',
  result: { ok: true, greeting: 'Hello, Ada!' },
  refusal: [true, 'job_not_found', 404],
  verify: ['function', 'function'],
};

const TYPED = `
import { createClient, ServiceError, type Run } from '@service/client';
import { createVerifier, type VerifiedCaller } from '@service/client/verify';

const client = createClient({ url: 'https://id.example.com', org: 'acme' });
export async function walk(signal: AbortSignal): Promise<Run[]> {
  const { user } = await client.auth.signIn({ email: 'ada@example.com', password: 'secret' }, { signal });
  const verified: boolean = user.email_verified;
  const status: Run['status'] = (await client.jobs.trigger('greet', { verified })).status;
  if (status === 'failed') return [];
  // @ts-expect-error no such status
  client.runs.list({ status: 'lost' });
  // @ts-expect-error a job has an id
  await client.jobs.register([{ name: 'Greet', handler: 'greet' }]);
  for await (const line of client.logs.follow({ signal })) if (line.level === 'error') break;
  return await client.runs.list({ limit: 5 }).all();
}
export const codeOf = (error: unknown): string => (error instanceof ServiceError ? error.code : '');
export const caller: Promise<VerifiedCaller> = createVerifier({ url: 'https://id.example.com' }).demandUser({});
`;

describe('the package of the client', () => {
  let environment: TestEnvironment;
  let project: ClientProject;
  let pages: PageServer;
  let service: ServiceProcess;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    [environment, project] = await Promise.all([createEnvironment(), ClientProject.create()]);
    await environment.deploy('greet', GREET);
    pages = await PageServer.start(project);
    [service, browser] = await Promise.all([
      ServiceProcess.start({
        ...environment.variables,
        SERVICE_SERVER__CORS_ORIGINS: pages.origin,
        SERVICE_IDENTITY__ACCESS_TTL_SECS: String(TTL_SECS),
      }),
      startBrowser(),
    ]);
    url = service.url ?? '';
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await service.stop();
    await Promise.all([pages.stop(), project.remove(), environment.dispose()]);
  });

  async function openPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.goto(pages.origin);
    return page;
  }

  it('works as an ES module', async () => {
    await project.write(
      'walk.mjs',
      `import { createClient, ServiceError } from '@service/client';
       import { createVerifier, verifyHandlerCall } from '@service/client/verify';${WALK}`,
    );
    expect(JSON.parse(await project.node('walk.mjs', url, 'esm@example.com', 'esm'))).toEqual(WALKED);
  });

  it('works as CommonJS', async () => {
    await project.write(
      'walk.cjs',
      `const { createClient, ServiceError } = require('@service/client');
       const { createVerifier, verifyHandlerCall } = require('@service/client/verify');
       (async () => {${WALK}})();`,
    );
    expect(JSON.parse(await project.node('walk.cjs', url, 'cjs@example.com', 'cjs'))).toEqual(WALKED);
  });

  it.each([
    ['ES modules and CommonJS on Node.js', ['typed.mts', 'typed.cts'], { module: 'nodenext' }],
    ['a bundled page', ['typed.ts'], { module: 'esnext', moduleResolution: 'bundler' }],
  ])('has types that hold under strict, in %s', async (_case, names, config) => {
    for (const name of names) await project.write(name, TYPED);
    const lib = ['es2022', 'dom', 'dom.asynciterable'];
    expect(await project.typeCheck({ target: 'es2022', lib, ...config }, ...names)).toBe('');
  });

  it('works bundled in a browser, from another origin', async () => {
    const context = await browser.newContext();
    const page = await openPage(context);
    const walked = await page.evaluate(
      async ([address, password]) => {
        const { createClient, ServiceError } = (globalThis as unknown as PageGlobals).client;
        const client = createClient({ url: address });
        await client.auth.signUp({ email: 'page@example.com', password });
        await client.orgs.create({ slug: 'page', name: 'Page' });
        await client.jobs.register([{ id: 'greet', name: 'Greet', handler: 'greet' }]);
        const first = await client.jobs.trigger('greet', { name: 'Ada' });
        await client.jobs.trigger('greet', { name: 'Grace' });
        const messages: string[] = [];
        for await (const line of client.logs.follow({ runId: first.id })) messages.push(line.message);
        const { status, result } = await client.runs.wait(first.id);
        const refusal: unknown = await client.jobs.get('none').catch((error: unknown) => error);
        return {
          messages,
          status,
          result,
          runs: (await client.runs.list({ limit: 1 }).all()).length,
          requestId: refusal instanceof ServiceError ? refusal.requestId : undefined,
        };
      },
      [url, PASSWORD] as const,
    );
    expect(walked).toEqual({
      messages: expect.arrayContaining(['queued (manual)', 'greeting Ada']),
      status: 'completed',
      result: { ok: true, greeting: 'Hello, Ada!' },
      runs: 2,
      requestId: expect.stringMatching(/^\S+$/),
    });
    await context.close();
  });

  it('refreshes once for five tabs whose token has expired, and signs none out', async () => {
    const context = await browser.newContext();
    const tabs = await Promise.all(Array.from({ length: TABS }, () => openPage(context)));
    const [first] = tabs;
    if (first === undefined) throw new Error('there is no tab');
    const token = await first.evaluate(
      async ([address, password]) => {
        const client = (globalThis as unknown as PageGlobals).client.createClient({ url: address });
        return (await client.auth.signUp({ email: 'tabs@example.com', password })).session.access_token;
      },
      [url, PASSWORD] as const,
    );
    const caller = new Client(url).as(token);
    await until(async () => (await caller.get('/auth/v1/user')).status === 401);
    const before = await authEvents(new Client(url), 'refresh');
    const answers = await Promise.all(
      tabs.map((tab) =>
        tab.evaluate(async (address) => {
          const client = (globalThis as unknown as PageGlobals).client.createClient({ url: address });
          const users = await Promise.all([client.auth.user(), client.auth.user()]);
          const session = await client.auth.session();
          return { emails: users.map(({ email }) => email), token: session?.refresh_token };
        }, url),
      ),
    );
    expect((await authEvents(new Client(url), 'refresh')) - before).toBe(1);
    expect(answers.flatMap(({ emails }) => emails)).toEqual(Array(2 * TABS).fill('tabs@example.com'));
    expect(new Set(answers.map((answer) => answer.token)).size).toBe(1);
    await context.close();
  });

  it('tells the other tabs of a sign-out', async () => {
    const context = await browser.newContext();
    const [one, other] = [await openPage(context), await openPage(context)];
    await other.evaluate((address) => {
      const page = globalThis as unknown as PageGlobals & { events: string[] };
      page.events = [];
      page.client.createClient({ url: address }).auth.onChange((event) => page.events.push(event));
    }, url);
    await one.evaluate(
      async ([address, password]) => {
        const client = (globalThis as unknown as PageGlobals).client.createClient({ url: address });
        await client.auth.signUp({ email: 'leaver@example.com', password });
        await client.auth.signOut();
      },
      [url, PASSWORD] as const,
    );
    const heard = (): Promise<string[]> =>
      other.evaluate(() => (globalThis as unknown as { events: string[] }).events);
    await until(async () => (await heard()).length === 2);
    expect(await heard()).toEqual(['signed_in', 'signed_out']);
    await context.close();
  });
});
