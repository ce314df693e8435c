import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Theme } from '../support/console.js';
import { ConsoleProgram, fitsPhone, settled, violationsOf } from '../support/console.js';
import { listedAs, listedPaths } from '../support/console-routes.js';
import { sampleOrganization, SAMPLE_FUNCTIONS, sampleProject } from '../support/console-sample.js';
import { until } from '../../support/until.js';

const IMAGES = path.join(import.meta.dirname, '../../../docs/images');
/** Set to write the images of docs/images anew. */
const isWriting = process.env.UPDATE_IMAGES !== undefined;
const WIDE = { width: 1440, height: 900 };
const THEMES = ['light', 'dark'] as const;

interface Look {
  /** What images of its pages begin with. */
  readonly name: string;
  readonly base: string;
  /** Pages that the navigation does not lead to, by their addresses below `base`. */
  readonly further: readonly string[];
}

/** Each page of the list in console/src/pages.ts, in each place that has it. */
describe('every page of the console', () => {
  let program: ConsoleProgram | null = null;
  const seen = { tenant: new Set<string | undefined>(), deployment: new Set<string | undefined>() };

  afterEach(async () => {
    const problems = program?.problems ?? [];
    await program?.stop();
    program = null;
    expect(problems).toEqual([]);
  });

  async function lookAt(page: Page, theme: Theme, { name, base, further }: Look): Promise<void> {
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await links.first().waitFor();
    const addresses = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    expect(addresses.length).toBeGreaterThan(3);
    const kind = base === '/console/operator' ? 'deployment' : 'tenant';
    for (const address of [...addresses, ...further.map((rest) => `${base}/${rest}`)]) {
      const rest = address?.slice(base.length + 1) ?? '';
      const listed = listedAs(rest, listedPaths()[kind]);
      seen[kind].add(listed);
      await page.setViewportSize(WIDE);
      await page.goto(new URL(address ?? '', page.url()).href);
      expect([theme, address, await violationsOf(page)]).toEqual([theme, address, []]);
      expect(await page.getByText(/This page is broken|There is no such page/).count()).toBe(0);
      // The page of settings shows paths of this machine.
      if (isWriting && rest !== 'settings' && (theme === 'light' || rest === '')) {
        const word =
          rest === '' ? 'overview' : rest.replace(/^users\/[0-9a-f-]+$/, 'user').replace(/^runs\/.*/, 'run');
        const file = `${name}-${word.replaceAll('/', '-')}${theme === 'light' ? '' : '-dark'}.png`;
        await page.screenshot({ path: path.join(IMAGES, file) });
      }
      await page.setViewportSize({ width: 768, height: 1024 });
      await until(async () => (await page.evaluate('document.documentElement.scrollWidth')) === 768);
      await fitsPhone(page);
    }
    await page.context().close();
  }

  it.each(THEMES)(
    'of an organization and of its deployment fits three widths, with nothing that axe objects to, %s',
    async (theme) => {
      if (isWriting) await mkdir(IMAGES, { recursive: true });
      program = await ConsoleProgram.start(SAMPLE_FUNCTIONS);
      const owner = await sampleOrganization(program);
      const { body: user } = await owner.client.get<{ id: string }>('/auth/v1/user');
      const member = await program.signIn(owner, `/o/${owner.slug}`, await program.context(theme));
      await member
        .getByRole('link', { name: /charge-card.*the card was declined/ })
        .first()
        .click();
      await member.waitForURL('**/runs/**');
      const run = new URL(member.url()).pathname.split('/').slice(-2).join('/');
      await lookAt(member, theme, {
        name: 'organization',
        base: `/console/o/${owner.slug}`,
        further: ['jobs/charge-card', 'jobs/nightly-report', run, 'roles/analyst'],
      });
      const operator = await program.signIn(
        await program.operator(),
        '/operator',
        await program.context(theme),
      );
      await lookAt(operator, theme, {
        name: 'deployment',
        base: '/console/operator',
        further: ['mail/templates', `organizations/${owner.slug}`, 'users/import', `users/${user.id}`],
      });
    },
    300_000,
  );

  it.each(THEMES)(
    'of a project and of its deployment fits three widths, with nothing that axe objects to, %s',
    async (theme) => {
      program = await ConsoleProgram.start(SAMPLE_FUNCTIONS, { profile: 'project' });
      const { serviceKey, userId } = await sampleProject(program);
      const holder = await program.openProject(serviceKey, await program.context(theme));
      await lookAt(holder, theme, {
        name: 'project',
        base: '/console/p/shop',
        further: ['users/import', `users/${userId}`, 'mail/outbox'],
      });
      const operator = await program.signIn(
        await program.operator(),
        '/operator',
        await program.context(theme),
      );
      await lookAt(operator, theme, {
        name: 'projects',
        base: '/console/operator',
        further: ['projects/shop'],
      });
    },
    300_000,
  );

  it('was looked at by the tests above', () => {
    const { tenant, deployment } = listedPaths();
    expect(tenant.length).toBeGreaterThan(15);
    expect([...seen.tenant].sort()).toEqual(tenant.sort());
    expect([...seen.deployment].sort()).toEqual(deployment.sort());
  });

  it('that is none in one profile is said to be none, and breaks nothing', async () => {
    program = await ConsoleProgram.start();
    const owner = await program.owner();
    const member = await program.signIn(owner, `/o/${owner.slug}`);
    const operator = await program.signIn(await program.operator(), '/operator');
    for (const [page, address] of [
      [member, `/o/${owner.slug}/users/import`],
      [member, `/o/${owner.slug}/users/${owner.slug}`],
      [member, `/o/${owner.slug}/mail/outbox`],
      [operator, '/operator/projects'],
      [operator, '/operator/projects/shop'],
    ] as const) {
      await page.goto(`${program.url}/console${address}`);
      await settled(page);
      await page.getByText(/You may not see this|There is no such page/).waitFor();
    }
    await program.stop();
    program = await ConsoleProgram.start({}, { profile: 'project' });
    const ofProjects = await program.signIn(await program.operator(), '/operator');
    for (const rest of [
      'users',
      'users/import',
      'organizations',
      'organizations/x',
      'signing-keys',
      'mail/templates',
    ]) {
      await ofProjects.goto(`${program.url}/console/operator/${rest}`);
      await ofProjects.getByText('There is no such page').waitFor();
    }
  });

  it('before the sign-in and outside of organizations has nothing that axe objects to, and fits a phone', async () => {
    program = await ConsoleProgram.start();
    const owner = await program.owner();
    for (const theme of THEMES) {
      const context = await program.context(theme);
      const page = await program.signIn(owner, '/account', context);
      for (const address of [
        '/account',
        '/no-such-page',
        `/o/${owner.slug}/no-such-page`,
        '/o/no-such-organization',
      ]) {
        await page.goto(`${program.url}/console${address}`);
        expect([theme, address, await violationsOf(page)]).toEqual([theme, address, []]);
        await fitsPhone(page);
        await page.setViewportSize(WIDE);
      }
      await context.close();
      const outside = await (await program.context(theme)).newPage();
      await outside.goto(`${program.url}/console`);
      expect([theme, await violationsOf(outside)]).toEqual([theme, []]);
      await fitsPhone(outside);
      for (const button of ['Create an account', 'Forgot your password?']) {
        await outside.goto(`${program.url}/console`);
        await outside.getByRole('button', { name: button }).click();
        expect([theme, button, await violationsOf(outside)]).toEqual([theme, button, []]);
      }
      await outside.context().close();
    }
  });

  it('fits a phone also with the longest names, and from right to left', async () => {
    program = await ConsoleProgram.start(SAMPLE_FUNCTIONS);
    const owner = await program.owner();
    const id = 'reconcile-the-ledger-'.repeat(7).slice(0, 128);
    const jobs = [
      { id, name: 'Reconcile the ledger '.repeat(5).trim(), handler: 'charge' },
      {
        id: 'arabic',
        name: 'تقرير المبيعات اليومي',
        description: 'ملخص طلبات اليوم لكل فرع',
        handler: 'report',
      },
    ];
    const answers = [
      await owner.client.post('/jobs/v1/jobs', { jobs }),
      await owner.client.send('PATCH', `/auth/v1/orgs/${owner.slug}`, { name: 'شركة النور للتجارة' }),
      await owner.client.post(`/auth/v1/orgs/${owner.slug}/roles`, {
        name: 'r'.repeat(60),
        permissions: ['data:*:read'],
      }),
      await owner.client.post(`/jobs/v1/jobs/${id}/trigger`, { payload: { order: 'x'.repeat(2_000) } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 202]);
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    const names = page.getByRole('link', { name: 'تقرير المبيعات اليومي' });
    await page.goto(`${program.url}/console/o/${owner.slug}/jobs`);
    const [name, row] = [await names.locator('[dir=auto]').boundingBox(), await names.boundingBox()];
    expect(name?.x).toBe(row?.x);
    for (const rest of ['', '/jobs', `/jobs/${id}`, '/jobs/arabic', '/runs', '/roles', '/queue']) {
      await page.goto(`${program.url}/console/o/${owner.slug}${rest}`);
      await settled(page);
      await fitsPhone(page);
      // No table is wider than the phone.
      const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('[role=region]')]
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => element.getAttribute('aria-label'))`);
      expect([rest, cut]).toEqual([rest, []]);
    }
  });
});
