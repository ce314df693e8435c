import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PASSWORD, signUp } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { addFactor } from '../../support/second-factor.js';
import { ConsoleProgram, settled, violationsOf } from '../support/console.js';
import { layersOf } from '../support/console-layers.js';
import { sampleOrganization, SAMPLE_FUNCTIONS, sampleProject } from '../support/console-sample.js';

const SOURCE = join(import.meta.dirname, '../../../console/src');

/** Files of the console with a dialog or a menu, and how each heading begins. The first tests below open them. */
const OPENED: Readonly<Record<string, readonly string[]>> = {
  'pages/account/change-address.tsx': ['Change address'],
  'pages/account/change-password.tsx': ['Change password'],
  'pages/account/delete-account.tsx': ['Delete your account'],
  'pages/account/factors/add-factor.tsx': ['Add an authenticator'],
  'pages/account/own-organizations.tsx': ['Leave'],
  'pages/audit/audit-details.tsx': ['Details of'],
  'pages/audit/audit-export.tsx': ['menu'],
  'pages/job/trigger-form.tsx': ['Trigger charge-card'],
  'pages/keys/create-key.tsx': ['Create key'],
  'pages/keys/keys-page.tsx': ['Revoke'],
  'pages/members/invite-member.tsx': ['Invite someone', 'Pass this link on'],
  'pages/members/member-list.tsx': ['Remove'],

  'pages/organization/organization-page.tsx': ['Remove'],
  'pages/organization/set-member.tsx': ['Add or change a member'],
  'pages/organizations/change-organization.tsx': ['Edit organization'],
  'pages/organizations/create-organization.tsx': ['Create organization'],
  'pages/project/project-actions.tsx': ['Edit project'],
  'pages/project/project-keys.tsx': ['Replace anon key', 'Replace service key'],
  'pages/projects/create-project.tsx': ['Create project'],
  'pages/role/role-page.tsx': ['Delete analyst'],
  'pages/roles/role-form.tsx': ['Create role', 'Edit analyst'],
  'pages/run/cancel-run.tsx': ['Cancel this run?'],
  'pages/run/retry-form.tsx': ['Retry with another payload'],
  'pages/run/retry-run.tsx': ['menu'],
  'pages/runs/bulk-action.tsx': ['Retry all', 'Cancel all'],
  'pages/secrets/secret-form.tsx': ['Add a secret', 'Replace'],
  'pages/secrets/secrets-page.tsx': ['Delete'],
  'pages/signing-keys/signing-keys-page.tsx': ['Rotate the signing key'],
  'pages/user/hand-over.tsx': ['Hand over'],
  'pages/user/user-actions.tsx': ['Disable', 'Set a password', 'Remove second factors', 'Delete', 'menu'],
  'pages/user/user-keys.tsx': ['Revoke'],
  'pages/users/create-user.tsx': ['Create user'],
  'pages/users/sign-in-settings.tsx': ['Sign-in'],
  'parts/typed-confirmation.tsx': ['Delete organization', 'Delete project'],
};

/** Those that need more than a click, with the suite that looks at them with axe. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'pages/account/factors/add-passkey.tsx': 'passkeys',
  'pages/account/factors/own-factors.tsx': 'factors',
  'pages/account/factors/recent-proof.tsx': 'factors',
  'pages/account/factors/recovery-codes.tsx': 'factors',
  'pages/account/factors/rename-factor.tsx': 'passkeys',
  'pages/keys/new-key.tsx': 'members',
  'pages/manifest/delete-jobs.tsx': 'jobs',
  'pages/members/second-factor-policy.tsx': 'factors',
  'pages/outbox/send-again.tsx': 'mail',
  'pages/projects/new-keys.tsx': 'projects',
  'parts/form-modal.tsx': 'dialogs',
  'shell/account-menu.tsx': 'dialogs',
  'shell/not-signed-out.tsx': 'sign-out',
  'shell/palette.tsx': 'dialogs',
};

/** Its run goes on until it is cancelled, however long it takes to open what comes before. */
const HELD =
  'export default () => new Promise((resolve) => setTimeout(() => resolve(new Response()), 1_800_000))';

describe('every dialog and menu of the console', () => {
  let program: ConsoleProgram | null = null;
  const titles = new Set<string>();

  afterEach(async () => {
    const problems = program?.problems ?? [];
    await program?.stop();
    program = null;
    expect(problems).toEqual([]);
  });

  async function openAll(page: Page, base: string, further: readonly string[]): Promise<void> {
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await links.first().waitFor();
    const listed = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    for (const address of [...listed, ...further.map((rest) => `${base}/${rest}`)]) {
      for (const { title, violations } of await layersOf(page, new URL(address ?? '', page.url()).href)) {
        titles.add(title);
        expect([address, title, violations]).toEqual([address, title, []]);
      }
    }
  }

  /** The account menu, the switcher of organizations and the palette. */
  async function openFrame(page: Page): Promise<void> {
    const open = [
      async () => {
        await page.getByRole('button', { name: /^Account menu/ }).click();
        await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
      },
      async () => {
        await page.getByRole('button', { name: /^Switch organization/ }).click();
        await page.getByRole('option').first().waitFor();
      },
      async () => {
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('button').first().waitFor();
      },
    ];
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [index, show] of open.entries()) {
        await page.reload();
        await settled(page);
        await show();
        expect([theme, index, await violationsOf(page)]).toEqual([theme, index, []]);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  async function runOf(client: Client, job: string): Promise<string> {
    const { body } = await client.get<{ id: string }[]>(`/jobs/v1/runs?job_id=${job}&limit=1`);
    return body[0]?.id ?? '';
  }

  it('of an organization, of an account and of the deployment has nothing that axe objects to', async () => {
    program = await ConsoleProgram.start({ ...SAMPLE_FUNCTIONS, held: HELD });
    const owner = await sampleOrganization(program);
    const ben = await program.member(owner, 'analyst');
    await owner.client.post('/jobs/v1/jobs', {
      jobs: [{ id: 'held', name: 'Held', handler: 'held', timeout_ms: 1_900_000 }],
    });
    await owner.client.post('/jobs/v1/jobs/held/trigger', {});
    const [held, ended] = [await runOf(owner.client, 'held'), await runOf(owner.client, 'charge-card')];
    const { body: user } = await owner.client.get<{ id: string }>('/auth/v1/user');
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    await openFrame(page);
    await openAll(page, `/console/o/${owner.slug}`, [
      'jobs/charge-card',
      `runs/${held}`,
      `runs/${ended}`,
      'roles/analyst',
    ]);
    await page.context().close();
    // Owner of nothing, so that the page of the own account lets them leave and delete it.
    const own = await program.signIn(ben, '/account');
    for (const { title, violations } of await layersOf(own, `${program.url}/console/account`)) {
      titles.add(title);
      expect([title, violations]).toEqual([title, []]);
    }
    await own.context().close();
    // A dialog removes them where there are some. By now, the owner's session is too old to add one.
    await owner.client.post('/auth/v1/reauthenticate', { password: PASSWORD });
    await addFactor(owner.client);
    await signUp(program.url);
    const operator = await program.signIn(await program.operator(), '/operator');
    await openAll(operator, '/console/operator', [`users/${user.id}`, `organizations/${owner.slug}`]);
    await owner.client.post(`/jobs/v1/runs/${held}/cancel`, {});
  }, 1_200_000);

  it('of a project and of its deployment has nothing that axe objects to', async () => {
    program = await ConsoleProgram.start(SAMPLE_FUNCTIONS, { profile: 'project' });
    const { serviceKey, userId } = await sampleProject(program);
    const holder = await program.openProject(serviceKey);
    await openAll(holder, '/console/p/shop', [`users/${userId}`]);
    await holder.context().close();
    const operator = await program.signIn(await program.operator(), '/operator');
    await openAll(operator, '/console/operator', ['projects/shop']);
  }, 900_000);

  it('was opened by the tests above, or is looked at by another suite', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.tsx') &&
        /<(?:FormModal|Modal|Menu|Spotlight)\b/.test(readFileSync(join(SOURCE, name), 'utf8')),
    );
    expect(Object.keys({ ...OPENED, ...ELSEWHERE }).sort()).toEqual(files.sort());
    const missing = Object.values(OPENED)
      .flat()
      .filter((beginning) => ![...titles].some((title) => title.startsWith(beginning)));
    expect(missing).toEqual([]);
    for (const suite of Object.values(ELSEWHERE))
      expect(readFileSync(join(import.meta.dirname, `${suite}.test.ts`), 'utf8')).toContain('violationsOf');
  });
});
