import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { ConsoleProgram, fitsPhone, settled, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';

/** Of the owner. */
const NAME = 'An organization';

describe('the audit trail in the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start({ any: 'export default () => Response.json({})' });
    owner = await program.owner();
    const roles = `/auth/v1/orgs/${owner.slug}/roles`;
    await owner.client.post(roles, { name: 'analyst', permissions: ['data:orders:read'] });
    await owner.client.send('PATCH', `${roles}/analyst`, { permissions: ['data:orders:delete'] });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  async function exported(page: Page, format: string): Promise<string> {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: `As ${format}` }).click(),
    ]);
    return await readFile(await download.path(), 'utf8');
  }

  it('Who changed this? The audit trail names them, shows before and after, and is exported as it is filtered', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/audit`);
    await page.getByText(/^Hash chain intact, \d+ entries$/).waitFor();
    await page.getByRole('textbox', { name: 'What', exact: true }).fill('role');
    await page.getByRole('textbox', { name: 'Target' }).fill('role:analyst');
    await page.waitForURL(/action=role&target=role%3Aanalyst/);
    const changed = page.getByRole('row').filter({ hasText: 'role.updated' });
    await page.getByRole('row').filter({ hasText: 'org.created' }).waitFor({ state: 'detached' });
    await changed.getByText(owner.email).first().waitFor();
    // What changed of a list, not two lists to compare; narrow screens have it in the column before.
    await changed.getByText('+ data:orders:delete').last().waitFor();
    await changed.getByText('− data:orders:read').last().waitFor();
    await changed.getByRole('button', { name: 'Details of role.updated' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Before', { exact: true }).innerText()).toContain('data:orders:read');
    expect(await dialog.getByLabel('After', { exact: true }).innerText()).toContain('data:orders:delete');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();

    const lines = (await exported(page, 'NDJSON')).trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { action: string; actor: { name: string } });
    expect(entries.map(({ action, actor }) => [action, actor.name])).toEqual([
      ['role.updated', owner.email],
      ['role.created', owner.email],
    ]);
    expect((await exported(page, 'CSV')).trim().split('\n')).toHaveLength(3);
    await page.reload();
    await changed.waitFor();
    await page.getByLabel('Until').fill('2020-01-01T06:00');
    await page.getByText('Nothing matches these filters').waitFor();
    expect((await exported(page, 'CSV')).trim().split('\n')).toHaveLength(1);
    await page.context().close();
  });

  it('Who changed this job? Its page names them and leads to its changes, of which the trail says what each changed', async () => {
    const job = (id: string, retries = 0) => ({ id, name: `The ${id}`, handler: 'any', retries });
    const ids = ['report', 'a', 'b', 'c', 'd'];
    await owner.client.post('/jobs/v1/jobs', { jobs: ids.map((id) => job(id)) });
    await owner.client.post('/jobs/v1/jobs', { jobs: [job('report', 1), job('mail')] });
    await owner.client.send('PATCH', '/jobs/v1/jobs', { paused: true, ids: ['a'] });
    const page = await program.signIn(owner, `/o/${owner.slug}/jobs/report`);
    await page.getByRole('link', { name: `by ${owner.email}` }).click();
    await page.waitForURL(/audit\?target=job%3Areport$/);
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'changed report, created mail' }).first().waitFor();
    await rows.filter({ hasText: 'created report, created a, created b and 2 more' }).first().waitFor();
    expect(await rows.count()).toBe(3);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Target' }).fill('job:a');
    await rows.filter({ hasText: 'paused a' }).first().waitFor();
    await fitsPhone(page);
    await page.context().close();

    const trigger = { name: 'starter', permissions: ['jobs:*:*'] };
    await owner.client.post(`/auth/v1/orgs/${owner.slug}/roles`, trigger);
    const member = await program.member(owner, 'starter');
    const theirs = await program.signIn(member, `/o/${owner.slug}/jobs/report`);
    await theirs.getByText('Changed', { exact: true }).waitFor();
    await settled(theirs);
    expect(await theirs.getByText(`by ${owner.email}`).count()).toBe(0);
    await theirs.context().close();
  });

  it('shows operators all organizations, and has nothing that axe objects to in either theme', async () => {
    const operator = await program.operator('read_only');
    for (const theme of ['light', 'dark'] as const) {
      const page = await program.signIn(operator, '/operator/audit', await program.context(theme));
      await page.getByRole('row').filter({ hasText: 'org.created' }).first().waitFor();
      await page.getByRole('columnheader', { name: 'Where' }).waitFor();
      await page.getByRole('cell', { name: NAME }).first().waitFor();
      expect([theme, await violationsOf(page)]).toEqual([theme, []]);
      await fitsPhone(page);
      await page.context().close();
    }
  });
});
