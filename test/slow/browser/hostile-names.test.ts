import type { Page } from 'playwright-core';
import { ConsoleProgram, settled } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { endedRun, trigger } from '../../support/runs.js';

const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const LINK = 'javascript:document.title=3';

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
      await client.post(`${org}/api-keys`, { name: `${SCRIPT} ${LINK}`, permissions: [] }),
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
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    run = (await trigger(client, 'speak', { payload: { [SCRIPT]: LINK } })).id;
    await endedRun(client, run);
  });

  afterAll(async () => {
    await program.stop();
  });

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
    await page.getByText(SCRIPT).first().waitFor();
    expect(program.problems.splice(0)).toEqual([]);
    await page.context().close();
  });

  it('are text on every page of the deployment', async () => {
    const operator = await program.signIn(await program.operator(), '/operator');
    await visit(operator, []);
    expect(program.problems.splice(0)).toEqual([]);
    await operator.context().close();
  });
});
