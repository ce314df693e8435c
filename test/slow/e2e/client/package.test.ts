import type { Browser, BrowserContext, Page } from 'playwright-core';
import type * as ClientModule from '../../../../client/src/index.js';
import { startBrowser } from '../../support/browser.js';
import { PageServer } from '../../support/browser-page.js';
import { Client, PASSWORD, signUpOwner } from '../../../support/client.js';
import { ClientProject } from '../../support/client-package.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { authEvents } from '../../../support/metrics.js';
import { createProjectEnvironment } from '../../../support/project-environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { GREET, TYPED, WALK, WALKED } from './programs.js';
import { askServer, callHandler, OWN_SERVICE, PROJECTS, README, runBlocks } from './readme.js';

const TTL_SECS = 5;
const TABS = 5;
const ROUNDS = 20;

/** What a page of the tests has. */
interface PageGlobals {
  client: typeof ClientModule;
}

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
  });

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

  it('has types that hold under strict, in ES modules and in CommonJS', async () => {
    for (const name of ['typed.mts', 'typed.cts']) await project.write(name, TYPED);
    const config = { target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom', 'dom.asynciterable'] };
    expect(await project.typeCheck(config, 'typed.mts', 'typed.cts')).toBe('');
    // A compiler of its own, over the types of the platform.
  });

  it('does what its README says', async () => {
    const sections = [...README].filter(([heading]) => ![PROJECTS, OWN_SERVICE].includes(heading));
    const printed = await runBlocks(
      project,
      url,
      sections.flatMap(([, blocks]) => blocks),
    );
    expect(sections.length).toBeGreaterThanOrEqual(5);
    expect(printed).toContain("completed { ok: true, greeting: 'Hello, Grace!' }");
    expect(printed).toContain('refreshed grace@example.com');
    expect(printed).toContain('info greeting Grace');
    expect(printed).toContain('job_not_found 404');
  });

  it('does what its README says of projects', async () => {
    const ofProjects = await createProjectEnvironment();
    const projects = await ServiceInProcess.start({ ...ofProjects.variables, SERVICE_ROLE: 'api' });
    const blocks = README.get(PROJECTS) ?? [];
    const printed = await runBlocks(project, projects.url, blocks, { ADMIN_TOKEN: ofProjects.adminToken });
    expect(printed).toContain("[ 'ada@example.com', true ]");
    await projects.stop();
    await ofProjects.dispose();
  });

  it('protects the server of its README, and knows calls of its handler', async () => {
    const [server = '', handler = ''] = README.get(OWN_SERVICE) ?? [];
    await project.link('express');
    let owner: Awaited<ReturnType<typeof signUpOwner>> | undefined;
    const answers = await askServer(project, url, server, async (client) => {
      // Only now: an access token of this service does not live long.
      owner = await signUpOwner(url);
      const caller = client.as(owner.accessToken);
      return [
        await caller.get('/me'),
        await caller.in(owner.slug).get('/orders'),
        await client.get('/orders'),
      ];
    });
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, expect.objectContaining({ type: 'user', userId: owner?.userId })],
      [200, { orders: [], of: owner?.orgId }],
      [401, { error: expect.objectContaining({ code: 'unauthenticated' }) }],
    ]);
    expect(await callHandler(project, handler)).toBe('{"ok":true,"runId":"run_1","name":"Ada"}\n');
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

  it('keeps its session in memory where a page may keep nothing', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${pages.origin}/sandboxed`);
    expect(await page.evaluate('globalThis.origin')).toBe('null');
    const outcome = await page.evaluate(async (address) => {
      const client = (globalThis as unknown as PageGlobals).client.createClient({ url: address });
      await client.auth.signOut();
      const refusal: unknown = await client.auth.refresh().catch((error: unknown) => error);
      return [await client.auth.session(), (refusal as { code?: string }).code];
    }, url);
    expect(outcome).toEqual([null, 'signed_out']);
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

  it('shows each tab what the one before it has refreshed, however closely they follow', async () => {
    const context = await browser.newContext();
    const tabs = await Promise.all(Array.from({ length: TABS }, () => openPage(context)));
    await tabs[0]?.evaluate(
      async ([address, password]) => {
        const client = (globalThis as unknown as PageGlobals).client.createClient({ url: address });
        await client.auth.signUp({ email: 'close@example.com', password });
      },
      [url, PASSWORD] as const,
    );
    const refusals = await Promise.all(
      tabs.map((tab) =>
        tab.evaluate(
          async ([address, rounds]) => {
            const client = (globalThis as unknown as PageGlobals).client.createClient({ url: address });
            const codes: string[] = [];
            for (let round = 0; round < rounds; round += 1)
              await client.auth
                .refresh()
                .catch((error: unknown) => codes.push((error as { code: string }).code));
            return codes;
          },
          [url, ROUNDS] as const,
        ),
      ),
    );
    expect(refusals.flat()).toEqual([]);
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
