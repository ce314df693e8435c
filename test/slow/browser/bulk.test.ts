import { ConsoleProgram, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';

const FAILED = 4;

describe('what failed, in the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start({
      report: `export default () => {
        console.log('writing the report');
        return Response.json({ error: 'the bucket is full' }, { status: 422 });
      }`,
    });
    owner = await program.owner();
    await owner.client.post('/jobs/v1/jobs', {
      jobs: [{ id: 'report', name: 'Nightly report', handler: 'report' }],
    });
    for (let run = 0; run < FAILED; run += 1)
      await owner.client.post('/jobs/v1/jobs/report/trigger', { payload: { run } });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it("Why did last night's report fail? Its attempts, error, log and payload are two clicks from the overview, and all that failed since midnight is retried", async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}`);
    await page
      .getByRole('link', { name: /report.*the bucket is full/ })
      .first()
      .click();
    await page.getByRole('alert').or(page.getByText('the bucket is full')).first().waitFor();
    await page.getByRole('log').getByText('writing the report').waitFor();
    await page.getByLabel('Payload', { exact: true }).getByText('"run"').waitFor();

    await page.getByText('Attempt 1', { exact: true }).waitFor();
    await page.getByText(/^Waited /).waitFor();

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: `${FAILED} runs of report failed like this` }).click();
    await page.getByRole('combobox', { name: 'Since' }).click();
    await page.getByRole('option', { name: 'Since midnight' }).click();
    await page.getByRole('row').nth(FAILED).waitFor();
    await page
      .getByRole('row', { name: /handler_fatal the bucket is full/ })
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Cancel all' }).count()).toBe(0);
    await program.environment.deploy('report', 'export default () => Response.json({});');
    await page.getByRole('button', { name: 'Retry all' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`report × ${FAILED}`).waitFor();
    await dialog
      .getByText(`${FAILED} runs that have ended match the filters and were not retried yet.`)
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Retry them' }).click();
    await dialog.getByText(`Done: ${FAILED} of ${FAILED}`).waitFor();
    expect(await dialog.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    // What was retried is not retried a second time.
    await page.getByRole('button', { name: 'Retry all' }).click();
    await dialog.getByText('No run that matches the filters can be changed in this way.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('row').nth(1).click();
    await page.getByText('Repeated as', { exact: true }).waitFor();
    await page.goto(`${program.url}/console/o/${owner.slug}/runs?status=completed`);
    await page.getByRole('row').nth(FAILED).waitFor();
    await page.context().close();
  });

  it('is not changed where nothing matches', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/runs?status=failed&error=timeout`);
    await page.getByText('Nothing matches these filters').waitFor();
    expect(await page.getByRole('button', { name: 'Retry all' }).isDisabled()).toBe(true);
    await page.context().close();
  });

  it('is found by its payload and by the end of a time span, which the address keeps', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/runs?status=completed`);
    await page.getByRole('row').nth(FAILED).waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    const payload = page.getByLabel('Payload contains, a JSON object');
    await payload.fill('{"run": ');
    await page.getByText(/^This is not a JSON object/).waitFor();
    // It would be done to more runs than the field says.
    expect(await page.getByRole('button', { name: 'Retry all' }).isDisabled()).toBe(true);
    await payload.fill('{"run": 9007199254740993}');
    await page.getByText(/^This is not a JSON object/).waitFor();
    await payload.fill('{"run": 2}');
    await page.waitForURL((url) => url.searchParams.get('payload') === '{"run": 2}');
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Retry all' }).click();
    await page
      .getByRole('dialog')
      .getByText('1 run that has ended matches the filters and was not retried yet.')
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.locator('button:focus', { hasText: 'Retry all' }).waitFor();
    await page.getByLabel('Until').fill('2020-01-01T06:00');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.reload();
    await page.getByText('Nothing matches these filters').waitFor();
    expect(await page.getByLabel('Until').inputValue()).toBe('2020-01-01T06:00');
    await page.context().close();
  });

  it('is found by its handler and by how long it took', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/runs?status=failed`);
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Handler').fill('report');
    await page.waitForURL((url) => url.searchParams.get('handler') === 'report');
    await page.getByRole('row').nth(FAILED).waitFor();
    const seconds = page.getByLabel('Took at least, in seconds');
    await seconds.fill('long');
    await page.getByText('This is not a number of seconds.').waitFor();
    await seconds.fill('3600.5');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.reload();
    await page.getByText('Nothing matches these filters').waitFor();
    expect(await seconds.inputValue()).toBe('3600.5');
    await page.context().close();
  });

  it('can be typed as a filter without a pause, although the list follows', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/runs`);
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Handler').fill('rep');
    await page.waitForURL((url) => url.searchParams.get('handler') === 'rep');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.keyboard.type('ort');
    await page.waitForURL((url) => url.searchParams.get('handler') === 'report');
    await page.context().close();
  });

  it.each(['since=yesterday', 'until=later', 'payload=[1]', 'duration=long'])(
    'is neither retried nor cancelled where the address has the unreadable filter %s',
    async (filter) => {
      const page = await program.signIn(owner, `/o/${owner.slug}/runs?${filter}`);
      await page.getByText('Nothing matches these filters').waitFor();
      for (const name of ['Retry all', 'Cancel all'])
        expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
      await page.context().close();
    },
    60_000,
  );
});
