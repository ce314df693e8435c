import type { Locator, Page } from 'playwright-core';
import { gzipSync } from 'node:zlib';
import { ConsoleProgram, fitsPhone, settled, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { until } from '../../support/until.js';

const LIMIT_BYTES = 300_000;
/** Two tabs agree within a second; the rest is the browser's. */
const LIVE_MS = 1_500;

const FUNCTIONS = {
  echo: 'export default async (request) => Response.json({ got: await request.json() })',
  fail: `export default () => Response.json({ error: 'the bucket is full' }, { status: 422 })`,
  colours: `export default () => {
    for (let line = 1; line <= 60; line += 1) console.log('line ' + line);
    console.log('\\u001b[32mready\\u001b[0m to go');
    return Response.json({ error: 'the disk is full '.repeat(100) }, { status: 422 });
  }`,
  slow: `export default async () => {
    for (let step = 1; step <= 240; step += 1) {
      console.log('step ' + step);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    return Response.json({});
  }`,
};

/** Keeps two steps by its run token. */
function keepsSteps(url: string): string {
  return `export default async (request) => {
    const run = request.headers.get('x-service-run-id');
    const headers = { authorization: request.headers.get('authorization'), 'content-type': 'application/json' };
    for (const [name, value] of [['charge the card', { charge: 'ch_1' }], [${JSON.stringify(HOSTILE)}, 'kept']]) {
      const step = '${url}/jobs/v1/runs/' + run + '/steps/' + encodeURIComponent(name);
      const { ok } = await fetch(step, { method: 'PUT', headers, body: JSON.stringify({ value }) });
      if (!ok) throw new Error('the step was not kept');
    }
    return Response.json({});
  }`;
}

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

describe('the console, for a member of an organization', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start(FUNCTIONS);
    owner = await program.owner();
    await owner.client.post('/jobs/v1/jobs', {
      jobs: Object.keys(FUNCTIONS).map((id) => ({
        id,
        name: `${id} ${HOSTILE}`,
        handler: id,
        timeout_ms: 90_000,
      })),
    });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  const trigger = async (job: string, payload: object = {}): Promise<string> => {
    const { body } = await owner.client.post<{ id: string }>(`/jobs/v1/jobs/${job}/trigger`, { payload });
    return body.id;
  };
  const path = (rest: string): string => `/o/${owner.slug}${rest}`;
  const statusOf = (page: Page, text: string): Promise<void> =>
    page.locator('h1').getByText(text).waitFor({ timeout: 10_000 });

  it('weighs at most 300 kB, gzipped, until the overview is shown', async () => {
    const context = await program.context();
    const sizes = new Map<string, Promise<number>>();
    context.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/console') && response.ok() && !pathname.startsWith('/console/session'))
        sizes.set(
          pathname,
          // As console/precompress.ts compresses them.
          response
            .body()
            .then((body) => (/\.woff2$/.test(pathname) ? body : gzipSync(body, { level: 9 })).length),
        );
    });
    const page = await program.signIn(owner, '', context);
    await settled(page);
    const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
    expect(sizes.size).toBeGreaterThan(5);
    expect(total).toBeLessThan(LIMIT_BYTES);
    await context.close();
  });

  it('leads from the overview to the run that failed, its error and log, and runs it again', async () => {
    const id = await trigger('fail', { report: HOSTILE });
    const page = await program.signIn(owner);
    await page.getByRole('link', { name: /fail.*the bucket is full/ }).click();
    await statusOf(page, 'Failed');
    expect(new URL(page.url()).pathname).toBe(`/console${path(`/runs/${id}`)}`);
    await page.getByText('handler_fatal').waitFor();
    await page.getByLabel('Payload', { exact: true }).getByText('<img src=x').waitFor();
    await page.getByRole('log').getByText('the run is failed').waitFor();
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.waitForURL((url) => url.pathname.includes('/runs/') && !url.pathname.endsWith(id));
    await page.getByText('Repeats').waitFor();
    await page.getByText('Repeated by').waitFor();
    expect(await page.title()).toBe('Run of fail · Service');
    await page.context().close();
  });

  it('retries a run with another payload, and says of the new run what it repeats and who repeated it', async () => {
    const id = await trigger('echo', { day: 'Monday' });
    const page = await program.signIn(owner, path(`/runs/${id}`));
    await statusOf(page, 'Completed');
    await page.getByRole('button', { name: 'Other ways to retry' }).click();
    await page.getByRole('menuitem', { name: 'With another payload…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry with another payload' });
    const payload = dialog.getByLabel('Payload, as JSON');
    const retry = dialog.getByRole('button', { name: 'Retry', exact: true });
    expect(JSON.parse(await payload.inputValue())).toEqual({ day: 'Monday' });
    await payload.fill('[9007199254740993]');
    await dialog.getByText(/^This is not JSON, or has a whole number beyond/).waitFor();
    expect(await retry.isDisabled()).toBe(true);
    await payload.fill('[1]');
    await retry.click();
    await dialog.getByText('must be a JSON object, as this run was triggered on demand').waitFor();
    await payload.fill('{"day":"Tuesday"}');
    await retry.click();
    await page.waitForURL((url) => url.pathname.includes('/runs/') && !url.pathname.endsWith(id));
    await page.getByLabel('Result', { exact: true }).getByText('Tuesday').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    const fact = (name: string): Locator =>
      page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    await fact('Repeats')
      .getByRole('link', { name: new RegExp(id.slice(-6)) })
      .waitFor();
    await fact('Repeated by').getByText(owner.email).waitFor();
    await page.context().close();
  });

  it('keeps the session and the filters over a reload, and no token where scripts may find it', async () => {
    const page = await program.signIn(owner, path('/runs?status=failed&since=24h'));
    await page.getByRole('row', { name: /fail/ }).first().waitFor();
    await page.reload();
    await page.getByRole('row', { name: /fail/ }).first().waitFor();
    await page.getByRole('search').getByText('Failed', { exact: true }).waitFor();
    expect(await page.getByRole('row', { name: /Completed/ }).count()).toBe(0);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    expect(kept).not.toMatch(/eyJ|token/);
    await page.context().close();
  });

  it('are followed as soon as their page is open, wherever one comes from', async () => {
    const context = await program.context();
    let streams = 0;
    context.on('request', (request) => {
      if (new URL(request.url()).pathname === '/jobs/v1/logs') streams += 1;
    });
    const page = await program.signIn(owner, path('/jobs/echo'), context);
    await until(() => streams === 1);
    const leftAt = Date.now();
    await page.getByRole('link', { name: 'All runs' }).click();
    await until(() => streams === 2);
    // The page before gives up the stream for it, and does not wait first as after a failure.
    expect(Date.now() - leftAt).toBeLessThan(2_500);
    await page.context().close();
  });

  it('lists runs in several statuses, which the address keeps', async () => {
    await trigger('fail');
    await trigger('echo');
    const page = await program.signIn(owner, path('/runs'));
    await page.getByRole('combobox', { name: 'Status' }).click();
    // In one turn: the second click comes before the page shows the first.
    await page.getByRole('option').first().waitFor();
    await page.evaluate(`for (const name of ['Failed', 'Completed'])
      [...document.querySelectorAll('[role=option]')].find((option) => option.textContent === name).click()`);
    await page.waitForURL((url) => url.searchParams.get('status') === 'failed,completed');
    await page.reload();
    await page
      .getByRole('row', { name: /Failed fail/ })
      .first()
      .waitFor();
    await page
      .getByRole('row', { name: /Completed echo/ })
      .first()
      .waitFor();
    await page.context().close();
  });

  it('shows a log without the codes of a terminal, to the millisecond, and a long error in a few rows at first', async () => {
    const { body: run } = await owner.client.post<{ id: string }>('/jobs/v1/jobs/colours/trigger', {});
    const page = await program.signIn(owner, path(`/runs/${run.id}`));
    const line = page.getByRole('log').locator('div').filter({ hasText: 'ready to go' }).last();
    await line.getByText('ready to go', { exact: true }).waitFor();
    expect(await line.locator('time').innerText()).toMatch(/:\d\d\.\d{3}/);
    // The log of a run that has ended is read from its top, even where it is longer than its frame.
    expect(await page.evaluate<number>(`document.querySelector('[role="log"]').scrollTop`)).toBe(0);
    const error = page.getByText(/^the disk is full/);
    await error.waitFor();
    const height = async (): Promise<number> => (await error.boundingBox())?.height ?? 0;
    const cut = await height();
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await height()).toBeGreaterThan(2 * cut);
    await page.context().close();
  });

  it('shows a run and its log in two tabs as it goes on, and cancels it', async () => {
    const context = await program.context();
    const list = await program.signIn(owner, path('/runs'), context);
    const id = await trigger('slow');
    const page = await context.newPage();
    await page.goto(`${program.url}/console${path(`/runs/${id}`)}`);
    await page.getByRole('log').getByText('step 3', { exact: true }).waitFor();
    const row = list.getByRole('row', { name: new RegExp(id.slice(-10)) });
    await row.getByText('Running').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Cancel this run?' });
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row.getByText('Running').waitFor();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await dialog.getByRole('button', { name: 'Cancel run' }).click();
    await Promise.all([
      page.locator('h1').getByText('Cancelled').waitFor({ timeout: LIVE_MS }),
      row.getByText('Cancelled').waitFor({ timeout: LIVE_MS }),
    ]);
    await page.getByText('Complete', { exact: true }).waitFor();
    await context.close();
  });

  it('finds the runs of a job by a part of its name or id, and leads from a run to its job', async () => {
    const id = await trigger('echo');
    await trigger('fail');
    const page = await program.signIn(owner, path('/runs'));
    const job = page.getByRole('combobox', { name: 'Job' });
    await job.fill('cho <img');
    await page.getByRole('option', { name: /^echo/ }).click();
    await page.waitForURL((url) => url.searchParams.get('job') === 'echo');
    await page.getByRole('row', { name: /fail/ }).first().waitFor({ state: 'detached' });
    await page.getByRole('row', { name: new RegExp(id.slice(-10)) }).waitFor();
    await page.reload();
    // The id, until the names are loaded.
    await until(async () => (await job.inputValue()) === `echo ${HOSTILE}`);
    expect(await violationsOf(page)).toEqual([]);
    // Of a job that is deleted, runs are left.
    await job.fill('gone-for-good');
    await page.getByRole('option', { name: 'gone-for-good' }).click();
    await page.getByText('Nothing matches these filters').waitFor();
    await page.goto(`${program.url}/console${path(`/runs/${id}`)}`);
    await page.locator('dd').getByRole('link', { name: 'echo', exact: true }).click();
    await page.waitForURL(`**${path('/jobs/echo')}`);
    await page.context().close();
  });

  it('shows what the handler of a run has kept, each value once it is opened', async () => {
    await program.environment.deploy('steps', keepsSteps(program.url));
    await owner.client.post('/jobs/v1/jobs', { jobs: [{ id: 'steps', name: 'Steps', handler: 'steps' }] });
    const id = await trigger('steps');
    const page = await program.signIn(owner, path(`/runs/${id}`));
    await statusOf(page, 'Completed');
    const heading = page.getByRole('heading', { name: 'Steps', exact: true });
    const steps = page.locator('section').filter({ has: heading });
    await steps.getByText(HOSTILE).waitFor();
    expect(await steps.getByLabel('What charge the card kept').count()).toBe(0);
    await steps.getByText('charge the card').click();
    await steps.getByLabel('What charge the card kept', { exact: true }).getByText('"ch_1"').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);
    await page.context().close();
  });

  it('has no page that axe objects to, in either theme', async () => {
    const id = await trigger('echo', { list: [1, 'two', null, true] });
    for (const theme of ['light', 'dark'] as const) {
      const context = await program.context(theme);
      const page = await program.signIn(owner, '', context);
      for (const rest of ['', '/runs', '/runs?status=cancelled&job=none', `/runs/${id}`]) {
        await page.goto(`${program.url}/console${path(rest)}`);
        expect([theme, rest, await violationsOf(page)]).toEqual([theme, rest, []]);
      }
      await context.close();
    }
  });

  it('signs out of all tabs', async () => {
    const context = await program.context();
    const first = await program.signIn(owner, '', context);
    const second = await context.newPage();
    await second.goto(`${program.url}/console${path('/runs')}`);
    await second.getByRole('heading', { name: 'Runs' }).waitFor();
    await first.getByRole('button', { name: /^Account menu/ }).click();
    await first.getByRole('menuitem', { name: 'Sign out' }).click();
    await first.getByRole('button', { name: 'Sign in' }).waitFor();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
    await second.reload();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
    await context.close();
  });
});
