import { register } from 'prom-client';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../../../src/platform/startup/index.js';
import { jobAuditOf } from '../../support/audit.js';
import { signUpOwner } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { endedRun, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { ServiceProcess } from '../../support/service-process.js';
import { isInProjects } from '../../support/profile.js';

const BUNDLE_OWNER = `SERVICE_JOBS__BUNDLE_${isInProjects ? 'PROJECT' : 'ORG'}`;

type Owner = Awaited<ReturnType<typeof signUpOwner>>;

const GREETING = 'export default async (request) => Response.json({ heard: (await request.json()).name });';

describe('a deploy bundle', () => {
  let environment: TestEnvironment;
  let variables: Record<string, string>;
  let owner: Owner;
  let other: Owner;
  let folder: string;

  beforeAll(async () => {
    environment = await createEnvironment();
    variables = { ...environment.variables };
    delete variables.SERVICE_FUNCTIONS__DIR;
    const service = await ServiceInProcess.start({ ...variables, SERVICE_ROLE: 'api' });
    [owner, other] = [await signUpOwner(service.url), await signUpOwner(service.url)];
    await service.stop();
    folder = await mkdtemp(join(tmpdir(), 'service-bundle-'));
    await mkdir(join(folder, 'functions'));
    await writeFile(join(folder, 'functions', 'greet.mjs'), GREETING);
  });

  afterAll(async () => {
    await environment.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function bundleOf(manifest: unknown, org = owner.slug): Promise<Record<string, string>> {
    const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
    await writeFile(join(folder, 'jobs.json'), text);
    return { ...variables, SERVICE_JOBS__BUNDLE_DIR: folder, [BUNDLE_OWNER]: org };
  }

  /** What a start with this bundle is refused with. */
  async function refusalOf(manifest: unknown, org?: string): Promise<string> {
    try {
      const service = await ServiceInProcess.start(await bundleOf(manifest, org));
      await service.stop();
    } catch (error) {
      // The program that did not come to be has left its metrics behind.
      register.clear();
      expect(error).toBeInstanceOf(StartupError);
      return (error as Error).message;
    }
    throw new Error('the start was not refused');
  }

  it('is registered at start by the operator, once by instances that start at once, and its functions are served', async () => {
    const bundle = await bundleOf({ jobs: [{ id: 'greet', name: 'Greet', handler: 'greet' }] });
    const services = await Promise.all([1, 2].map(() => ServiceProcess.start(bundle)));
    try {
      const client = owner.client.at(services[0]?.url ?? '');
      const run = await trigger(client, 'greet', { payload: { name: 'Ada' } });
      expect(await endedRun(client, run.id)).toMatchObject({
        status: 'completed',
        result: { heard: 'Ada' },
      });
      expect(await jobAuditOf(environment.database, owner.orgId)).toEqual([
        {
          actor_type: 'operator',
          actor_id: null,
          action: 'jobs.registered',
          target_type: isInProjects ? 'project' : 'org',
          target_id: owner.orgId,
          details: { jobs: [{ id: 'greet', change: 'created' }] },
        },
      ]);
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
  });

  it('at the next start updates what it names and leaves other jobs alone', async () => {
    const manifestOf = (name: string): unknown => ({ jobs: [{ id: 'greet', name, handler: 'greet' }] });
    const first = await ServiceInProcess.start(
      await bundleOf(manifestOf('Before'), isInProjects ? other.slug : other.orgId),
    );
    const byHand = { jobs: [{ id: 'by-hand', name: 'By hand', handler: 'greet' }] };
    expect((await other.client.at(first.url).post('/jobs/v1/jobs', byHand)).status).toBe(200);
    await first.stop();
    const second = await ServiceInProcess.start(await bundleOf(manifestOf('After'), other.slug));
    const { body } = await other.client.at(second.url).get<{ id: string; name: string }[]>('/jobs/v1/jobs');
    expect(body.map(({ id, name }) => [id, name])).toEqual([
      ['by-hand', 'By hand'],
      ['greet', 'After'],
    ]);
    await second.stop();
  });

  it('with problems refuses the start and prints each with its path', async () => {
    const manifest = {
      jobs: [
        { id: 'ok', name: 'Fine', handler: 'greet' },
        { id: 'bad id', name: 'Bad', handler: 'greet', retries: -1 },
      ],
    };
    const service = ServiceProcess.spawn(await bundleOf(manifest));
    expect(await service.exit()).toBe(1);
    expect(service.log).toContain(`the manifest ${join(folder, 'jobs.json')} is invalid:`);
    expect(service.log).toMatch(/^jobs\[1\]\.id: must be 1 to 128 letters/m);
    expect(service.log).toMatch(/^jobs\[1\]\.retries: must be a whole number from 0 to 100$/m);
    expect(service.log).not.toMatch(/^\s+at /m);
    expect(service.url).toBeNull();
    expect(
      await environment.database.query(`SELECT FROM jobs WHERE id = 'ok' AND tenant_id = $1`, [owner.orgId]),
    ).toEqual([]);
  });

  it('with problems that only a look around shows refuses the start with their paths too', async () => {
    const triggers = [{ type: 'cron', schedule: '0 0 31 2 *' }];
    const message = await refusalOf({ jobs: [{ id: 'a', name: 'A', handler: 'absent', triggers }] });
    expect(message).toMatch(/^jobs\[0\]\.handler: is not a deployed function; there are: greet$/m);
    expect(message).toMatch(/^jobs\[0\]\.triggers\[0\]\.schedule: never matches any date/m);
  });

  it.each([
    [
      'of an organization that does not exist',
      '{"jobs":[]}',
      'nowhere',
      `names the ${isInProjects ? 'project' : 'organization'} nowhere, which does not exist`,
    ],
    ['that is not JSON', '{"jobs":', undefined, 'jobs.json is not valid JSON'],
    ['that has a name twice', '{"jobs":[{"id":"a","id":"b"}]}', undefined, 'it names jobs[0].id twice'],
    ['that is no manifest', '[]', undefined, 'the manifest: must be a JSON object'],
  ])('%s refuses the start', async (_title, manifest, org, message) => {
    expect(await refusalOf(manifest, org)).toContain(message);
  });

  it('without a manifest refuses the start', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'service-bundle-'));
    const bundle = { ...(await bundleOf('')), SERVICE_JOBS__BUNDLE_DIR: empty };
    await expect(ServiceInProcess.start(bundle)).rejects.toThrow(
      'jobs.json, the manifest of jobs.bundle_dir, cannot be read',
    );
    register.clear();
    await rm(empty, { recursive: true });
  });
});
