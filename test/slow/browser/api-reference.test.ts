import { ConsoleProgram } from '../support/console.js';

describe('the API reference', () => {
  let program: ConsoleProgram;

  beforeAll(async () => {
    program = await ConsoleProgram.start();
  });

  afterAll(async () => {
    await program.stop();
  });

  it('shows the operations in reading order, asks for the bearer token first, and loads nothing from elsewhere', async () => {
    const context = await program.context();
    const elsewhere: string[] = [];
    context.on('request', (request) => {
      if (!request.url().startsWith(program.url)) elsewhere.push(request.url());
    });
    const page = await context.newPage();
    await page.goto(`${program.url}/docs`);
    await page.getByText('Selected Auth Type: bearer').waitFor();
    const groups = page
      .getByRole('complementary')
      .getByRole('link', { name: /^(Identity|Jobs|Operator|Console)$/ });
    await groups.first().waitFor();
    expect(await groups.allInnerTexts()).toEqual(['Identity', 'Jobs', 'Operator', 'Console']);
    expect([elsewhere, program.problems.splice(0)]).toEqual([[], []]);
    await context.close();
  });

  it('sends a request by hand', async () => {
    const context = await program.context();
    const page = await context.newPage();
    await page.goto(`${program.url}/docs#tag/operation/GET/health`);
    await page
      .getByRole('button', { name: /Test Request.*\/health\b/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Send get request/ }).click();
    await page.getByText('200').first().waitFor();
    expect(program.problems.splice(0)).toEqual([]);
    await context.close();
  });
});
