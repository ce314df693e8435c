import bcryptjs from 'bcryptjs';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConsoleProgram, fitsPhone, violationsOf } from '../support/console.js';
import { Client, PASSWORD } from '../../support/client.js';

describe('the page that imports users in the console, for an operator', () => {
  let program: ConsoleProgram;

  beforeAll(async () => {
    program = await ConsoleProgram.start();
  });

  afterAll(async () => {
    await program.stop();
  });

  afterEach(() => {
    expect(program.problems.splice(0)).toEqual([]);
  });

  function fileOf(...lines: readonly object[]): { name: string; mimeType: string; buffer: Buffer } {
    const buffer = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return { name: 'accounts.ndjson', mimeType: 'application/x-ndjson', buffer };
  }

  it('shows the first lines, imports, and hands out a report of what was wrong', async () => {
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const page = await program.signIn(await program.operator(), '/operator/users');
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import users' }).waitFor();
    const good = { email, password_hash: bcryptjs.hashSync(PASSWORD, 4) };
    const wrong = { email: 'chef@example.com', organizations: [{ slug: 'no-such-one', role: 'member' }] };
    await page.locator('input[type=file]').setInputFiles(fileOf(good, wrong, { email }));
    const preview = page.getByRole('region', { name: 'First lines' });
    await preview.getByText('bcrypt').waitFor();
    await preview.getByText('no-such-one').waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'Finished' }).waitFor();
    await page.getByText('There is no organization no-such-one.').waitFor();
    const figures = await page.locator('dl').innerText();
    expect(figures.split('\n').filter((line) => /^\d+$/.test(line))).toEqual(['3', '1', '1', '1']);
    expect(await violationsOf(page)).toEqual([]);
    await fitsPhone(page);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download report' }).click();
    const report = await readFile(await (await download).path(), 'utf8');
    const lines = report.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { code: string }).code)).toEqual([
      'unknown_organization',
      'exists',
    ]);
    await page.context().close();
    const signedIn = await new Client(program.url).post('/auth/v1/token?grant_type=password', {
      email,
      password: PASSWORD,
    });
    expect(signedIn.status).toBe(200);
  });

  it('offers a read-only operator nothing to import', async () => {
    const page = await program.signIn(await program.operator('read_only'), '/operator/users/import');
    await page.getByRole('heading', { level: 1, name: 'Import users' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Choose file|Import)$/ }).count()).toBe(0);
    await page.context().close();
  });

  it('has nothing that axe objects to before a file is chosen, in either theme', async () => {
    const operator = await program.operator();
    for (const theme of ['light', 'dark'] as const) {
      const context = await program.context(theme);
      const page = await program.signIn(operator, '/operator/users/import', context);
      await page.getByText('No file chosen').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await fitsPhone(page);
      await context.close();
    }
  });
});
