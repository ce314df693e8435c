import { randomBytes } from 'node:crypto';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import type { ConsoleOwner } from '../support/console.js';
import { until } from '../../support/until.js';

const SECRETS = {
  plain: 'of-the-shop-0123456789',
  github: 'of-the-repository-0123456789',
  gitlab: 'of-the-mirror-0123456789',
  stripe: 'whsec_of-the-payments-0123456789',
  slack: 'of-the-channel-0123456789',
  standard: `whsec_${randomBytes(24).toString('base64')}`,
};
/** Other than the one that is set, where it needs a form of its own. */
const OTHERS: Partial<typeof SECRETS> = { standard: `whsec_${randomBytes(24).toString('base64')}` };
const FORMATS = Object.keys(SECRETS) as (keyof typeof SECRETS)[];

function manifest(): object {
  const jobs = FORMATS.map((format) => ({
    id: format,
    name: `From ${format}`,
    handler: 'echo',
    triggers: [
      {
        type: 'webhook',
        path: `/hooks/from-${format}`,
        verify: {
          type: 'hmac',
          format,
          ...(format === 'plain' ? { header: 'X-Shop-Signature' } : {}),
          secret: `vault:webhooks/${format}`,
        },
      },
    ],
  }));
  return { jobs };
}

describe('a webhook in the console', () => {
  let program: ConsoleProgram;
  let owner: ConsoleOwner;

  beforeAll(async () => {
    program = await ConsoleProgram.start({
      echo: 'export default async (request) => Response.json({ got: await request.json() })',
    });
    owner = await program.owner();
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  it('is deployed with its job by a manifest, which is compared first, and whose mistakes are named', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/manifest`);
    const text = page.getByRole('textbox', { name: 'Manifest, JSON' });
    const compare = page.getByRole('button', { name: 'Compare' });
    await text.fill('{"jobs": [');
    await compare.click();
    await page.getByRole('alert').getByText('This is not JSON').waitFor();
    await text.fill(JSON.stringify({ jobs: [{ id: 'report', handler: 'nowhere' }] }));
    await compare.click();
    await page.getByRole('row').filter({ hasText: 'jobs[0].name' }).waitFor();
    await text.fill(JSON.stringify(manifest()));
    await compare.click();
    await page.getByRole('heading', { name: 'What would change' }).waitFor();
    expect(await page.getByRole('cell', { name: 'Created' }).count()).toBe(FORMATS.length);
    expect((await owner.client.get<unknown[]>('/jobs/v1/jobs')).body).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('heading', { name: 'Deployed' }).waitFor();
    expect((await owner.client.get<unknown[]>('/jobs/v1/jobs')).body).toHaveLength(FORMATS.length);
    for (const format of FORMATS)
      await page.getByRole('link', { name: `Next: set its secret, webhooks/${format}` }).waitFor();
    // A reload keeps what is written; what a change is made of is shown value by value.
    const { jobs } = manifest() as { jobs: object[] };
    await text.fill(JSON.stringify({ jobs: jobs.map((job) => ({ ...job, retries: 3 })) }));
    await page.reload();
    await compare.click();
    await page.getByText('retries 0 → 3').first().waitFor();
    expect(await page.getByText('retries 0 → 3').count()).toBe(FORMATS.length);
    await page.context().close();
  });

  it('shows its address, takes its secret into the vault, and sends a sample call that is signed as the provider signs', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/jobs`);
    for (const format of FORMATS) {
      await page.goto(`${program.url}/console/o/${owner.slug}/jobs/${format}`);
      await page.getByText(`${program.url}/jobs/v1/hooks/from-${format}`).waitFor();
      await page.getByText('Calls are refused until it is').waitFor();
      await page.getByRole('button', { name: 'Set the secret' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Value').fill(SECRETS[format]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      const secret = page.getByLabel('Secret of the provider');
      const send = page.getByRole('button', { name: 'Send a signed sample' });
      // What was set is at hand; with another one the call is refused.
      expect(await secret.inputValue()).toBe(SECRETS[format]);
      await secret.fill(OTHERS[format] ?? 'another');
      await send.click();
      await page.getByRole('alert').first().waitFor();
      await page.getByText('its signature does not fit the secret').waitFor();
      await secret.fill(SECRETS[format]);
      await send.click();
      await page.getByText('It arrived and was accepted').waitFor();
      await page.getByRole('link', { name: /^run_/ }).click();
      await page.locator('h1').getByText('Completed').waitFor();
      await page.getByLabel('Payload', { exact: true }).getByText('"sample"').waitFor();
    }
    await page.context().close();
  });

  it('Connect GitHub: a webhook is added from the page of a job on, its secret is generated, and a signed sample call arrives', async () => {
    const page = await program.signIn(owner, `/o/${owner.slug}/manifest`);
    const text = page.getByRole('textbox', { name: 'Manifest, JSON' });
    const compare = page.getByRole('button', { name: 'Compare' });
    const { body } = await owner.client.post('/jobs/v1/jobs', {
      jobs: [{ id: 'deploy', name: 'Deploy', handler: 'echo', retries: 2 }],
    });
    expect(body).toMatchObject({ jobs: [{ id: 'deploy', change: 'created' }] });
    // What is registered is loaded as a manifest that changes nothing; what it replaced comes back.
    await text.fill('my draft');
    await page.getByRole('button', { name: 'Load what is registered' }).click();
    await page.getByText('The earlier text was replaced.').waitFor();
    await compare.click();
    await page.getByRole('cell', { name: 'As it is' }).first().waitFor();
    expect(await page.getByRole('cell', { name: 'As it is' }).count()).toBe(FORMATS.length + 1);
    // A trigger goes into the job that is chosen.
    const into = page.getByRole('combobox', { name: 'Job that gets the trigger' });
    const triggersOf = async (id: string): Promise<number | undefined> => {
      const { jobs } = JSON.parse(await text.inputValue()) as { jobs: { id: string; triggers?: object[] }[] };
      return jobs.find((job) => job.id === id)?.triggers?.length;
    };
    const before = await triggersOf('deploy');
    await into.click();
    await page.getByRole('option', { name: 'deploy', exact: true }).click();
    await page.getByRole('button', { name: 'A schedule' }).click();
    expect(await triggersOf('deploy')).toBe((before ?? 0) + 1);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    // Also after a reload, and after a further text has replaced it.
    await page.getByRole('button', { name: 'A schedule' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await text.inputValue()).toBe('my draft');
    await text.fill('{"jobs": [{"id": "big", "triggers": [{"payload": {"n": 9007199254740993}}]}]}');
    await compare.click();
    await page.getByText('which browsers round').waitFor();
    expect(await page.getByRole('button', { name: 'A schedule' }).isDisabled()).toBe(true);
    await page.goto(`${program.url}/console/o/${owner.slug}/jobs/deploy`);
    await page.getByRole('link', { name: 'Add a trigger' }).click();
    await page.getByText('The earlier text was replaced.').waitFor();
    expect(JSON.parse(await text.inputValue())).toEqual({
      jobs: [{ id: 'deploy', name: 'Deploy', handler: 'echo', timeout_ms: 600_000, retries: 2 }],
    });
    // The page of a job has chosen that job, whatever is loaded then.
    await page.getByRole('button', { name: 'Load what is registered' }).click();
    await until(async () => (await into.inputValue()) === 'deploy');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'A GitHub webhook' }).click();
    await page.getByRole('button', { name: 'A schedule' }).click();
    await compare.click();
    await page.getByText('triggers[0] + ').waitFor();
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('heading', { name: 'Deployed' }).waitFor();
    await page.getByRole('link', { name: 'deploy', exact: true }).click();
    await page.getByText(`${program.url}/jobs/v1/hooks/github-`).waitFor();
    await page.getByRole('button', { name: 'Set the secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Generate one' }).click();
    expect(await dialog.getByLabel('Value', { exact: true }).textContent()).toMatch(/^[0-9a-f]{64}$/);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The secret github/webhook was set').waitFor();
    await page.getByRole('button', { name: 'Send a signed sample' }).click();
    await page.getByText('It arrived and was accepted').waitFor();
    await page.context().close();
  });

  it('has nothing that axe objects to, in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await program.signIn(owner, `/o/${owner.slug}/jobs/github`, await program.context(theme));
      await page.getByText('Address for the provider').waitFor();
      expect([theme, await violationsOf(page)]).toEqual([theme, []]);
      await fitsPhone(page);
      await page.context().close();
    }
  });
});
