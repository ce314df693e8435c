import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { Client } from '../../support/client.js';
import type { Theme } from '../support/console.js';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import { sampleOrganization, SAMPLE_FUNCTIONS } from '../support/console-sample.js';
import { OPERATOR_TOKEN } from '../../support/profile.js';
import { until } from '../../support/until.js';

const IMAGES = path.join(import.meta.dirname, '../../../docs/images');
/** Set to write the images of docs/images anew. */
const isWriting = process.env.UPDATE_IMAGES !== undefined;
const WIDE = { width: 1440, height: 900 };

/** Each page of the navigation, in one place of one profile. */
describe('every page of the console', () => {
  let program: ConsoleProgram | null = null;

  afterEach(async () => {
    const problems = program?.problems ?? [];
    await program?.stop();
    program = null;
    expect(problems).toEqual([]);
  });

  /** Looks at every page below `base` that the navigation leads to, and at further ones, at three widths. */
  async function lookAt(
    page: Page,
    theme: Theme,
    { name, base, further = [] }: { name: string; base: string; further?: readonly string[] },
  ): Promise<void> {
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await links.first().waitFor();
    const addresses = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of [...addresses, ...further.map((rest) => `${base}/${rest}`)]) {
      await page.setViewportSize(WIDE);
      await page.goto(`${page.url().split('/console')[0] ?? ''}${address ?? ''}`);
      expect([theme, address, await violationsOf(page)]).toEqual([theme, address, []]);
      const rest =
        address
          ?.slice(base.length + 1)
          .split('/')
          .slice(0, 2)
          .join('-')
          .replace(/-run_.*/, '') ?? '';
      const file = `${name}-${rest === '' ? 'overview' : address?.includes('/runs/') === true ? 'run' : rest}`;
      // The page of settings shows paths of this machine.
      if (isWriting && rest !== 'settings' && (theme === 'light' || rest === ''))
        await page.screenshot({ path: path.join(IMAGES, `${file}${theme === 'light' ? '' : '-dark'}.png`) });
      await page.setViewportSize({ width: 768, height: 1024 });
      await until(async () => (await page.evaluate('document.documentElement.scrollWidth')) === 768);
      await fitsPhone(page);
    }
  }

  it.each(['light', 'dark'] as const)(
    'of an organization and of its deployment fits three widths, with nothing that axe objects to, %s',
    async (theme) => {
      if (isWriting) await mkdir(IMAGES, { recursive: true });
      program = await ConsoleProgram.start(SAMPLE_FUNCTIONS);
      const owner = await sampleOrganization(program);
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
        further: ['jobs/charge-card', run, 'roles/analyst'],
      });
      const operator = await program.signIn(
        await program.operator(),
        '/operator',
        await program.context(theme),
      );
      await lookAt(operator, theme, {
        name: 'deployment',
        base: '/console/operator',
        further: ['mail/templates'],
      });
    },
    240_000,
  );

  it.each(['light', 'dark'] as const)(
    'of a project and of its deployment fits three widths, with nothing that axe objects to, %s',
    async (theme) => {
      program = await ConsoleProgram.start(SAMPLE_FUNCTIONS, { profile: 'project' });
      const admin = new Client(program.url).as(OPERATOR_TOKEN);
      const { body } = await admin.post<{ service_key: string }>('/admin/v1/projects', {
        ref: 'shop',
        name: 'The shop',
      });
      const holder = await (await program.context(theme)).newPage();
      await holder.goto(`${program.url}/console`);
      await holder.getByText('Service key', { exact: true }).click();
      await holder.getByRole('textbox', { name: 'Service key' }).fill(body.service_key);
      await holder.getByRole('button', { name: 'Sign in' }).click();
      await holder.waitForURL('**/p/shop');
      await lookAt(holder, theme, { name: 'project', base: '/console/p/shop' });
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
    240_000,
  );
});
