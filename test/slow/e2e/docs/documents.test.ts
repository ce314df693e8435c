import { randomBytes } from 'node:crypto';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeKey } from '../../../support/api-keys.js';
import { signUp } from '../../../support/client.js';
import type { Client } from '../../../support/client.js';
import { blocksOf, documents, REPOSITORY } from '../../../support/documents/markdown.js';
import type { Block } from '../../../support/documents/markdown.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { createProjectEnvironment } from '../../../support/project-environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';
import { DocumentShell, readersFolder } from './document-shell.js';
import { patternOf } from './shown-answer.js';

/** Documents that are read one after the other beside one program. */
interface Walk {
  readonly documents: readonly string[];
  /** Whether they take `$URL`, `$JSON` and the `$AUTH` of an organization's owner as given. */
  readonly isSignedIn: boolean;
  readonly profile?: 'project';
}

const WALKS: readonly Walk[] = [
  { documents: ['README.md'], isSignedIn: false },
  { documents: ['docs/quick-start.md'], isSignedIn: false },
  {
    documents: [
      'docs/permissions.md',
      'docs/jobs.md',
      'docs/webhooks.md',
      'docs/command-line.md',
      'docs/operating.md',
      'docs/api.md',
      'examples/scheduled-report/README.md',
      'examples/github-webhook/README.md',
    ],
    isSignedIn: true,
  },
  { documents: ['docs/projects.md'], isSignedIn: false, profile: 'project' },
];

/** Tests of their own run the programs that these are about; the bench installs its peers, which no test does. */
const TESTED_APART = [
  'bench/README.md',
  'docs/gateways.md',
  'docs/testing.md',
  'examples/express-orders/README.md',
  'examples/project/README.md',
  'examples/row-level-security/README.md',
  'examples/supabase-auth/README.md',
  'examples/web-app/README.md',
];

/** What a block needs that is not on every machine, or is run by a test of its own. */
const NOT_HERE = /^[^#\n]*\b(?:docker|kubectl|psql|pg_dump|nginx|walk\.mjs)\b/m;

/**
 * Deploys what the document has: the functions of the example that it is of, or those of README; and `report`, of which
 * the others speak, as they show it.
 */
async function fillFunctions(folder: string, document: string, blocks: readonly Block[]): Promise<void> {
  const shown = blocks.find(({ language, text }) => language === 'js' && text.includes('export default'));
  const source = shown?.text ?? 'export default () => Response.json({ ok: true });';
  await writeFile(join(folder, 'report.mjs'), source);
  const example = document.startsWith('examples/') ? dirname(document) : 'examples/hello';
  await cp(join(REPOSITORY, example, 'functions'), folder, { recursive: true });
}

function commandsOf(blocks: readonly Block[]): Block[] {
  return blocks.filter(({ language, text }) => language === 'sh' && !NOT_HERE.test(text));
}

/** What the document shows right below the commands: a block without a language. */
function answerTo(block: Block, blocks: readonly Block[]): string | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.language === '' ? next.text : undefined;
}

function isManifest({ language, text }: Block): boolean {
  if (language !== 'json') return false;
  const { jobs, type } = JSON.parse(text) as { jobs?: unknown; type?: unknown };
  return jobs !== undefined || type !== undefined;
}

/** The manifest as it stands, or one around the trigger that stands alone. */
function manifestOf(text: string): unknown {
  const shown = JSON.parse(text) as { jobs?: unknown };
  return shown.jobs === undefined
    ? { jobs: [{ id: 'shown', name: 'Shown', handler: 'report', triggers: [shown] }] }
    : shown;
}

describe.each(WALKS)('a program beside $documents', ({ documents: walked, isSignedIn, profile }) => {
  let environment: TestEnvironment;
  let service: ServiceProcess;
  let variables: Record<string, string>;
  let folder: string;
  let owner: Client;
  let given: string;
  /** What stands in documents for what is another at each reader's. */
  const standIns = new Map<string, string>();

  beforeAll(async () => {
    folder = await readersFolder();
    environment = await (profile === 'project' ? createProjectEnvironment() : createEnvironment());
    const adminToken = randomBytes(16).toString('hex');
    for (const dataFolder of ['.service', '.service-project']) {
      await mkdir(join(folder, dataFolder, 'secrets'), { recursive: true });
      await writeFile(join(folder, dataFolder, 'secrets/admin_token'), adminToken);
    }
    await mkdir(join(folder, 'functions'));
    // Where quick-start.md writes its functions.
    await mkdir(join(folder, 'quick-start'));
    await symlink(join(folder, 'functions'), join(folder, 'quick-start/functions'));
    variables = {
      ...environment.variables,
      SERVICE_ADMIN__TOKEN: adminToken,
      SERVICE_FUNCTIONS__DIR: join(folder, 'functions'),
    };
    service = await ServiceProcess.start(variables);
    const url = service.url ?? '';
    standIns.set('http://127.0.0.1:8080', url).set('https://id.example.com', url);
    if (!isSignedIn) return;
    const { accessToken, client } = await signUp(url);
    await client.post('/auth/v1/orgs', { slug: 'acme', name: 'Acme Inc.' });
    owner = client;
    given = `URL=${url}\nJSON='Content-Type: application/json'\nAUTH='Authorization: Bearer ${accessToken}'\n`;
    standIns.set('svc_…', (await makeKey(owner, 'acme', ['jobs:*:*'])).key);
    // A bundle of the reader's own, and the table that documents watch.
    const jobs = [{ id: 'report', name: 'Report', handler: 'report' }];
    await writeFile(join(folder, 'jobs.json'), JSON.stringify({ jobs }));
    await environment.database.query('CREATE TABLE orders (id bigint, org_id uuid NOT NULL, status text)');
  });

  afterAll(async () => {
    await service.stop();
    await Promise.all([environment.dispose(), rm(folder, { recursive: true, force: true })]);
  });

  describe.each(walked)('%s', (document) => {
    const blocks = blocksOf(document);
    const manifests = isSignedIn ? blocks.filter(isManifest) : [];
    let shell: DocumentShell;

    beforeAll(async () => {
      await fillFunctions(join(folder, 'functions'), document, blocks);
      shell = await DocumentShell.open(folder, standIns, variables);
      if (isSignedIn) await shell.run(given);
    });

    afterAll(async () => {
      await shell.close();
      // One that is triggered with a delay would else find the next document's functions.
      await until(async () => {
        const { length } = await environment.database.query('SELECT FROM runs WHERE completed_at IS NULL');
        return length === 0;
      });
    });

    it.each(commandsOf(blocks))('does at $place what it says', async (block) => {
      const { stdout, stderr, failed, statuses } = await shell.run(block.text);
      const answer = answerTo(block, blocks);
      const refused = statuses.filter((status) => status < 200 || status >= 400);
      const told = refused.filter((status) => status > 0 && answer?.includes(String(status)) === true);
      expect({ stderr, failed, refused, stdout }).toEqual({ stderr: '', failed: [], refused: told, stdout });
      if (answer !== undefined) expect(stdout.trimEnd()).toMatch(patternOf(shell.here(answer).trimEnd()));
    });

    if (manifests.length > 0) {
      it.each(manifests)('shows at $place what the service takes', async ({ text }) => {
        const { status, body } = await owner.post('/jobs/v1/jobs?dry_run=true', manifestOf(text));
        expect({ status, body }).toEqual({ status: 200, body });
      });
    }
  });
});

describe('the documents', () => {
  it('are all walked that have commands to run', () => {
    const withCommands = documents()
      .filter((document) => !TESTED_APART.includes(document))
      .filter((document) => commandsOf(blocksOf(document)).length > 0);
    expect(WALKS.flatMap((walk) => walk.documents).sort()).toEqual(withCommands.sort());
  });
});
