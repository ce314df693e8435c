import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { alike, runIdsIn, stepsOf, withSteps } from './console-blocks.js';
import type { Step } from './console-blocks.js';
import { typeCommand } from './screen.js';

const root = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

const PASSWORD = 'correct horse battery';
const ANSWERS = {
  'Password for the new account:': PASSWORD,
  'Once more:': PASSWORD,
  'Password:': PASSWORD,
  'Deploy this?': 'y',
  'Value of': 'a secret that nobody sees',
};

/** UPDATE_DOCS=1 writes what was seen into the documents, in place of comparing. */
const isUpdate = process.env.UPDATE_DOCS === '1';

describe('the commands in the documentation', () => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let variables: Record<string, string>;
  let folder: string;
  /** Runs of the documents, and those that stand for them here. */
  const runs = new Map<string, string>();
  let latestRun = '';

  beforeAll(async () => {
    environment = await createEnvironment();
    folder = await mkdtemp(join(tmpdir(), 'service-documentation-'));
    service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_FUNCTIONS__DIR: root('examples/hello/functions'),
    });
    variables = { SERVICE_CLI_CONFIG: folder, SERVICE_URL: service.url ?? '' };
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** Does what a step says, and gives the step as it really was. */
  async function take({ command, output }: Step): Promise<Step> {
    const typed = runIdsIn(command).reduce(
      (text, id) => text.replaceAll(id, runs.get(id) ?? (isUpdate ? latestRun : id)),
      command,
    );
    const screen = await typeCommand(typed, ANSWERS, variables);
    const seen = { command: typed, output: screen.text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080') };
    expect({ command, hasScrolled: screen.hasScrolled }).toEqual({ command, hasScrolled: false });
    for (const secret of [PASSWORD, ANSWERS['Value of']]) expect(screen.raw).not.toContain(secret);
    const actualIds = runIdsIn(seen.output);
    latestRun = actualIds[0] ?? latestRun;
    runIdsIn(output).forEach((id, index) => runs.set(id, runs.get(id) ?? actualIds[index] ?? id));
    return seen;
  }

  // The guide goes on where the README ends.
  it.each(['README.md', 'docs/command-line.md'])(
    'do in %s what it shows, each in one screen',
    async (path) => {
      const document = await readFile(root(path), 'utf8');
      const shown = stepsOf(document);
      expect(shown.length).toBeGreaterThan(3);
      const seen: Step[] = [];
      for (const step of shown) {
        const taken = await take(step);
        seen.push(taken);
        if (!isUpdate)
          expect(`$ ${taken.command}\n${alike(taken.output)}`).toBe(
            `$ ${taken.command}\n${alike(step.output)}`,
          );
      }
      if (isUpdate) await writeFile(root(path), withSteps(document, seen));
    },
    120_000,
  );
});
