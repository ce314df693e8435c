import type { Page } from 'playwright-core';
import { ConsoleProgram, settled } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { sampleProject, SAMPLE_FUNCTIONS } from '../support/console-sample.js';
import { Client } from '../../support/client.js';
import { OPERATOR_TOKEN } from '../../support/profile.js';
import { endedRun, trigger } from '../../support/runs.js';

const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const LINK = 'javascript:document.title=3';

/** Nothing of what is shown has become markup, a script or a link. */
async function expectText(page: Page): Promise<void> {
  await settled(page);
  const found = await page.evaluate(`({
    title: document.title,
    images: document.querySelectorAll('img[src="x"]').length,
    links: document.querySelectorAll('[href^="javascript:" i], [src^="javascript:" i]').length,
  })`);
  expect([page.url(), found]).toEqual([
    page.url(),
    { title: expect.stringContaining('Service'), images: 0, links: 0 },
  ]);
}

/** What anyone may choose as a name, and what handlers write, is shown as it is to members and operators. */
describe('names that are markup', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;
  let run: string;

  beforeAll(async () => {
    program = await ConsoleProgram.start({
      speak: `export default () => { console.log(${JSON.stringify(SCRIPT)}); return Response.json(
        { error: ${JSON.stringify(`${SCRIPT} ${LINK}`)} }, { status: 422 }); }`,
    });
    owner = await program.owner();
    const { client, slug } = owner;
    const org = `/auth/v1/orgs/${slug}`;
    const answers = [
      await client.send('PATCH', org, { name: SCRIPT }),
      await client.send('PATCH', '/auth/v1/user', { metadata: { name: SCRIPT, url: LINK } }),
      await client.post(`${org}/api-keys`, { name: SCRIPT, permissions: ['jobs:runs:read'] }),
      await client.post(`${org}/invitations`, { email: `"<i>"@example.com`, role: 'member' }),
      await client.post('/jobs/v1/jobs', {
        jobs: [
          {
            id: 'speak',
            name: SCRIPT,
            description: LINK,
            handler: 'speak',
            triggers: [{ type: 'cron', schedule: '0 0 1 1 *', timezone: 'UTC' }],
          },
        ],
      }),
    ];
    // No address has this local part; all else may be named so.
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 400, 200]);
    run = (await trigger(client, 'speak', { payload: { [SCRIPT]: LINK } })).id;
    await endedRun(client, run);
  });

  afterAll(async () => {
    await program.stop();
  });

  async function visit(page: Page, further: readonly string[]): Promise<void> {
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await links.first().waitFor();
    const pages = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    for (const address of [...pages, ...further]) {
      await page.goto(`${program.url}${address ?? ''}`);
      await expectText(page);
    }
  }

  it('are text on every page of an organization and of an account', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    const base = `/console/o/${owner.slug}`;
    await visit(page, [`${base}/runs/${run}`, `${base}/jobs/speak`, '/console/account']);
    await page.goto(`${program.url}${base}/runs/${run}`);
    await page.getByText(SCRIPT).filter({ visible: true }).first().waitFor();
    expect(program.problems.splice(0)).toEqual([]);
    await page.context().close();
  });

  it('are text on every page of the deployment', async () => {
    const operator = await program.signIn(await program.operator(), '/operator');
    const { body: user } = await owner.client.get<{ id: string }>('/auth/v1/user');
    await visit(operator, [
      `/console/operator/users/${user.id}`,
      `/console/operator/organizations/${owner.slug}`,
      '/console/operator/mail/templates',
    ]);
    expect(program.problems.splice(0)).toEqual([]);
    await operator.context().close();
  });

  it('are text in dialogs and in the filters of an address', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    const hostile = encodeURIComponent(SCRIPT);
    const link = encodeURIComponent(LINK);
    for (const rest of [
      `/runs?status=${hostile}&job=${hostile}&error=${link}&parent=${link}&handler=${hostile}&since=${link}`,
      `/runs?payload=${encodeURIComponent(JSON.stringify({ [SCRIPT]: LINK }))}`,
      `/jobs?find=${hostile}`,
      `/jobs/${hostile}`,
      `/runs/${link}`,
      `/roles/${hostile}`,
      `/audit?action=${hostile}&target=${link}`,
      `/schedule?from=${hostile}`,
      `?range=${link}`,
      `/${hostile}`,
    ]) {
      await page.goto(`${program.url}/console/o/${owner.slug}${rest}`);
      await expectText(page);
    }
    await page.goto(`${program.url}/console/o/${owner.slug}/jobs/speak`);
    await page.getByRole('button', { name: 'Trigger', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await expectText(page);
    await page.goto(`${program.url}/console/o/${owner.slug}/keys`);
    await page.getByRole('button', { name: 'Revoke' }).first().click();
    await page.getByRole('dialog').getByRole('heading').getByText(SCRIPT).waitFor();
    await expectText(page);
    expect(program.problems.splice(0)).toEqual([]);
    await page.context().close();
  });

  it('lead nowhere else after the sign-in, whatever the address says', async () => {
    for (const rest of [
      `?redirect=${encodeURIComponent('https://evil.example')}&redirect_to=${encodeURIComponent(LINK)}`,
      '//evil.example/console',
      `/o/${encodeURIComponent('../../evil.example')}`,
      `/o/${encodeURIComponent(LINK)}/runs`,
    ]) {
      const page = await program.signIn(owner, rest);
      await settled(page);
      expect([rest, new URL(page.url()).origin]).toEqual([rest, program.url]);
      await expectText(page);
      await page.context().close();
    }
    expect(program.problems.splice(0)).toEqual([]);
  });
});

/** What the holder of a service key may set, and what users say of themselves. */
describe('names and addresses of a project that are markup', () => {
  it('are text on every page of the project, and addresses that run scripts are refused', async () => {
    const program = await ConsoleProgram.start(SAMPLE_FUNCTIONS, { profile: 'project' });
    try {
      const { serviceKey, userId } = await sampleProject(program);
      const admin = new Client(program.url).as(OPERATOR_TOKEN);
      const client = new Client(program.url).as(serviceKey);
      const refused = [
        await admin.send('PATCH', '/admin/v1/projects/shop', { redirect_urls: [LINK] }),
        await client.send('PUT', '/auth/v1/brand', { logo_url: LINK }),
        await client.send('PUT', '/auth/v1/brand', { support_url: LINK }),
      ];
      expect(refused.map(({ status }) => status >= 400 && status < 500)).toEqual([true, true, true]);
      expect((await admin.send('PATCH', '/admin/v1/projects/shop', { name: SCRIPT })).status).toBe(200);
      const page = await program.openProject(serviceKey);
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      await links.first().waitFor();
      const listed = await Promise.all((await links.all()).map((each) => each.getAttribute('href')));
      for (const address of [...listed, `/console/p/shop/users/${userId}`, '/console/p/shop/mail/outbox']) {
        await page.goto(`${program.url}${address ?? ''}`);
        await expectText(page);
      }
      const operator = await program.signIn(await program.operator(), '/operator/projects');
      await operator.getByText(SCRIPT).waitFor();
      await expectText(operator);
      await operator.getByRole('link', { name: SCRIPT }).click();
      await operator.waitForURL('**/operator/projects/shop');
      await expectText(operator);
      expect(program.problems).toEqual([]);
    } finally {
      await program.stop();
    }
  });
});
