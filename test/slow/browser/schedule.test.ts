import { ConsoleProgram, fitsPhone, settled, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';

describe('the calendar of schedules and the signing keys in the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start({ echo: 'export default () => Response.json({})' });
    owner = await program.owner();
    const cron = (schedule: string, timezone: string) => [{ type: 'cron', schedule, timezone }];
    await owner.client.post('/jobs/v1/jobs', {
      jobs: [
        { id: 'report', name: 'Report', handler: 'echo', triggers: cron('30 2 * * *', 'Europe/Berlin') },
        { id: 'sync', name: 'Sync', handler: 'echo', triggers: cron('0 * * * *', 'UTC') },
      ],
    });
    await owner.client.send('PATCH', '/jobs/v1/jobs/sync', { paused: true });
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('When does what run next? A calendar has the time zones, the changes of the clock, and which job is paused', async () => {
    // Berlin changes its clock in the night to 28 March 2027: 02:30 does not exist, and the job runs at 03:00.
    const page = await program.signIn(owner, `/o/${owner.slug}/schedule?from=2027-03-25`);
    const changes = page.getByText('The clock changes from +01:00 to +02:00');
    await changes.waitFor();
    expect(await changes.count()).toBe(1);
    await page.getByRole('listitem').filter({ has: changes }).getByText('03:00 in Europe/Berlin').waitFor();
    const sync = page.getByRole('listitem').filter({ hasText: 'sync' });
    expect(await sync.count()).toBe(7);
    await sync.first().getByText('24 times').waitFor();
    await sync.first().getByText('Paused: does not run').waitFor();
    await page.getByRole('button', { name: 'Later week' }).click();
    await page.waitForURL('**?from=2027-04-01');
    await page.getByText('Week from Thursday, April 1').waitFor();
    const zone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone');
    await page.getByText(`in your time zone, ${String(zone)}.`).waitFor();
    // Of today, only what is still to come.
    const asked = page.waitForRequest((request) => request.url().includes('since='));
    await page.getByRole('button', { name: 'This week' }).click();
    const since = new URL((await asked).url()).searchParams.get('since') ?? '';
    expect(Math.abs(Date.now() - Date.parse(since))).toBeLessThan(60_000);
    await page.context().close();
  });

  it('a schedule that fires each minute hides no other, and says that it goes on', async () => {
    const often = await program.owner();
    const cron = (schedule: string) => [{ type: 'cron', schedule }];
    await often.client.post('/jobs/v1/jobs', {
      jobs: [
        { id: 'often', name: 'Often', handler: 'echo', triggers: cron('* * * * *') },
        {
          id: 'daily',
          name: 'Daily',
          handler: 'echo',
          triggers: [...cron('*/5 * * * *'), ...cron('30 2 * * *')],
        },
      ],
    });
    const page = await program.signIn(often, `/o/${often.slug}/schedule?from=2027-03-25`);
    const goesOn = page.getByRole('listitem').filter({ hasText: 'and so on until the week ends' });
    await goesOn.first().waitFor();
    expect(await goesOn.filter({ hasText: 'Often' }).count()).toBe(1);
    expect(await goesOn.filter({ hasText: 'Every 5 minutes' }).count()).toBe(1);
    expect(await page.getByRole('listitem').filter({ hasText: '30 2 * * *' }).count()).toBe(7);
    await page.goto(`${program.url}/console/o/${often.slug}/jobs/daily`);
    const coming = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Coming runs' }) });
    await coming.first().getByText('and so on').first().waitFor();
    expect(await coming.first().getByRole('listitem').filter({ hasText: 'and so on' }).count()).toBe(2);
    await fitsPhone(page);
    await page.context().close();
  });

  it('Rotate the signing key: its states are watched on a time line, the JWKS has both keys, and nobody is signed out', async () => {
    const page = await program.signIn(await program.operator(), '/operator/signing-keys');
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'signs every new token' }).waitFor();
    await page.getByText(/^The next key signs by itself from /).waitFor();
    await page.getByRole('button', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Nobody is signed out/).waitFor();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await rows.filter({ hasText: 'published, signs from' }).waitFor();
    const line = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Over time' }) });
    expect(await line.locator('[title^="Signs:"]').count()).toBe(2);
    expect(await line.locator('[title^="Published:"]').count()).toBe(1);
    const { body } = await owner.client.get<{ keys: { alg: string }[] }>('/.well-known/jwks.json');
    expect(body.keys.filter(({ alg }) => alg === 'RS256')).toHaveLength(2);
    expect((await owner.client.get('/auth/v1/user')).status).toBe(200);

    await page.getByRole('button', { name: 'Rotate' }).click();
    // A second rotation would do nothing.
    await dialog.getByText(/ is published already and signs from /).waitFor();
    expect(await dialog.getByRole('button', { name: 'Rotate' }).isDisabled()).toBe(true);
    await dialog.getByLabel('The key has leaked').check();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.waitFor({ state: 'detached' });
    // The session of the console gets a new token by itself.
    await rows.filter({ hasText: 'Retired' }).first().waitFor();
    expect((await owner.client.get('/auth/v1/user')).status).toBe(401);
    await page.context().close();
  });

  it('have nothing that axe objects to, in either theme', async () => {
    const operator = await program.operator('read_only');
    for (const theme of ['light', 'dark'] as const) {
      const own = await program.signIn(
        owner,
        `/o/${owner.slug}/schedule?from=2027-03-25`,
        await program.context(theme),
      );
      const page = await program.signIn(operator, '/operator/signing-keys', await program.context(theme));
      for (const each of [own, page]) {
        await settled(each);
        await each
          .getByText(/Europe|signs every/)
          .first()
          .waitFor();
        expect([theme, await violationsOf(each)]).toEqual([theme, []]);
        await fitsPhone(each);
        await each.context().close();
      }
    }
  });
});
