import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD } from '../../../support/client.js';
import type { Answer } from '../../../support/client.js';
import { createProject, createProjectEnvironment } from '../../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../../support/project-environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { until } from '../../../support/until.js';
import { PROMPTLY_MS } from '../../promptly.js';
import { runSeveral } from '../cli/run-cli.js';
import type { CommandOutcome } from '../cli/run-cli.js';

/** Each command is a process that starts, on machines that may be busy. */
const LIMIT_MS = 120_000;

describe('the command line beside a program that serves projects', () => {
  let environment: ProjectEnvironment;
  let service: ServiceInProcess;
  let mine: TestProject;
  let theirs: TestProject;

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    mine = await createProject(service.url, environment.adminToken);
    theirs = await createProject(service.url, environment.adminToken);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  /** Command lines without spaces within their words, one after another. */
  async function outcomesOf(...lines: string[]): Promise<CommandOutcome[]> {
    return await runSeveral(
      lines.map((line) => line.split(' ')),
      environment.variables,
    );
  }

  it(
    'lists the key of each project, with what is wrong with one, and makes no signing key of organizations',
    async () => {
      const { body } = await mine.anon.get<{ keys: { kid: string }[] }>('/auth/v1/keys');
      await rm(join(environment.keyFolder, `${theirs.ref}.pem`));
      const [listed, rotated] = await outcomesOf('keys list --json', 'keys rotate');
      expect([listed?.code, JSON.parse(listed?.stdout ?? '')]).toEqual([
        1,
        [
          { project: theirs.ref, kid: null, problem: expect.stringContaining(`${theirs.ref}.pem`) as string },
          { project: mine.ref, kid: body.keys[0]?.kid, problem: null },
        ],
      ]);
      expect([rotated?.code, rotated?.stdout]).toEqual([1, '']);
      expect(rotated?.stderr).toContain('/admin/v1/projects/{ref}/keys/rotate');
      expect(await environment.database.query('SELECT kid FROM signing_keys')).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'disables the user of one project, and asks which when an address has several accounts',
    async () => {
      const other = await createProject(service.url, environment.adminToken);
      const credentials = { email: `${randomBytes(6).toString('hex')}@example.com`, password: PASSWORD };
      const signIn = async (project: TestProject): Promise<number> =>
        (await project.anon.post('/auth/v1/token', credentials)).status;
      const signedUp: Answer<{ access_token: string }>[] = [];
      for (const project of [mine, other])
        signedUp.push(await project.anon.post('/auth/v1/signup', credentials));
      const disable = `users disable --database ${credentials.email}`;
      const [unclear, unknown] = await outcomesOf(disable, `${disable} --project nowhere`);
      expect([unclear?.code, unclear?.stderr]).toEqual([1, expect.stringContaining('--project')]);
      expect(unknown?.code).toBe(1);
      expect([await signIn(mine), await signIn(other)]).toEqual([200, 200]);
      const [disabled] = await outcomesOf(`${disable} --project ${mine.ref}`);
      expect(disabled?.code).toBe(0);
      expect([await signIn(mine), await signIn(other)]).toEqual([401, 200]);
      const user = mine.anon.as(signedUp[0]?.body.access_token ?? '');
      await until(async () => (await user.get('/auth/v1/user')).status === 401, PROMPTLY_MS);
    },
    LIMIT_MS,
  );

  it(
    'deploys and triggers in a project by its service key, which names it',
    async () => {
      await environment.deploy('greet', 'export default () => Response.json({});');
      const bundle = await mkdtemp(join(tmpdir(), 'service-bundle-'));
      const variables = { SERVICE_URL: service.url, SERVICE_API_KEY: mine.serviceKey };
      try {
        const job = { id: 'greet', name: 'Greet', handler: 'greet' };
        await writeFile(
          join(bundle, 'jobs.json'),
          JSON.stringify({ jobs: [{ ...job, invocable_by: 'authenticated' }] }),
        );
        const [deployed, triggered] = await runSeveral(
          [
            ['deploy', bundle, '--yes', '--json'],
            ['trigger', 'greet', '--json'],
          ],
          variables,
        );
        expect([deployed?.code, deployed?.stderr]).toEqual([0, '']);
        expect(JSON.parse(triggered?.stdout ?? '')).toMatchObject({ job_id: 'greet', status: 'queued' });
        expect((await mine.service.get('/jobs/v1/jobs/greet')).status).toBe(200);
        const other = await createProject(service.url, environment.adminToken);
        expect((await other.service.get('/jobs/v1/jobs/greet')).status).toBe(404);

        await writeFile(join(bundle, 'jobs.json'), JSON.stringify({ jobs: [job] }));
        const [planned] = await runSeveral([['deploy', bundle, '--dry-run']], variables);
        expect(planned?.stdout).toContain('  ~ greet  update\n      invocable_by "authenticated" → null\n');
        const [refused] = await runSeveral([['jobs']], { ...variables, SERVICE_API_KEY: 'made up' });
        expect([refused?.code, refused?.stderr]).toEqual([4, expect.stringContaining('SERVICE_API_KEY')]);
      } finally {
        await rm(bundle, { recursive: true });
      }
    },
    LIMIT_MS,
  );

  it(
    'verifies the chain of a project',
    async () => {
      const [verified, unknown] = await outcomesOf(
        `audit verify --project ${mine.ref} --json`,
        'audit verify --project nowhere',
      );
      expect([verified?.code, JSON.parse(verified?.stdout ?? '')]).toEqual([
        0,
        expect.objectContaining({ ok: true, chains: 1, broken: [] }),
      ]);
      expect(unknown?.code).toBe(1);
    },
    LIMIT_MS,
  );
});
