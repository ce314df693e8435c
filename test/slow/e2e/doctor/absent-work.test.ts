import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { createProject, createProjectEnvironment } from '../../../support/project-environment.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { runCli } from '../cli/run-cli.js';
import { diagnose, doctor, expectDiagnosis } from './doctor-run.js';
import type { Fault } from './doctor-run.js';

const codes = ({ findings }: Awaited<ReturnType<typeof doctor>>): string[] =>
  findings.map(({ code }) => code);

describe('servicectl doctor, of a deployment whose program does not run', () => {
  let environment: TestEnvironment;

  beforeAll(async () => {
    environment = await createEnvironment();
    const service = await ServiceProcess.start(environment.variables);
    await service.stop();
  });

  afterAll(async () => {
    await environment.dispose();
  });

  const statements = (plant: string, remove: string): Pick<Fault, 'plant' | 'remove'> => ({
    plant: async () => {
      await environment.database.query(plant);
      return {};
    },
    remove: () => environment.database.query(remove),
  });

  it('finds that no instance runs, and nothing that follows from it', async () => {
    const found = await doctor(environment.variables);
    expectDiagnosis(found, { finds: 'no_instance', advises: /Start the program/, plant: () => ({}) });
    expect(codes(found)).not.toEqual(expect.arrayContaining(['no_worker']));
  });

  const INSTANCE = `INSERT INTO instances (id, roles, version) VALUES ('00000000-0000-7000-8000-000000000001'`;
  const NOBODY = 'DELETE FROM instances';
  const faults: [string, Fault][] = [
    [
      'that no worker is alive',
      {
        finds: 'no_worker',
        advises: /SERVICE_ROLE=worker/,
        ...statements(`${INSTANCE}, '{api}', '0.1.0')`, NOBODY),
      },
    ],
    [
      'that no scheduler ticks',
      {
        finds: 'no_scheduler',
        advises: /SERVICE_ROLE=scheduler/,
        ...statements(`${INSTANCE}, '{api}', '0.1.0')`, NOBODY),
      },
    ],
    [
      'that no instance serves the API',
      {
        finds: 'no_api',
        advises: /SERVICE_ROLE=api/,
        ...statements(`${INSTANCE}, '{worker}', '0.1.0')`, NOBODY),
      },
    ],
    [
      'that no signing key is active',
      {
        finds: 'signing_key_missing',
        advises: /role api/,
        ...statements(
          'CREATE TABLE kept AS TABLE signing_keys; DELETE FROM signing_keys',
          'INSERT INTO signing_keys TABLE kept; DROP TABLE kept',
        ),
      },
    ],
    [
      'that a signing key should have been replaced',
      {
        finds: 'signing_keys_overdue',
        advises: /servicectl keys list/,
        ...statements(
          `UPDATE signing_keys SET active_at = now() - interval '200 days'`,
          'UPDATE signing_keys SET active_at = now()',
        ),
      },
    ],
    [
      'that nobody sends the mails that are due',
      {
        finds: 'mails_overdue',
        advises: /role worker/,
        ...statements(
          `INSERT INTO outgoing_mails (id, realm_id, kind, recipient, sealed_message, next_attempt_at)
           VALUES ('00000000-0000-7000-8000-000000000001', '00000000-0000-0000-0000-000000000000',
                   'recovery', 'a@example.com', '\\x00', now() - interval '1 hour')`,
          'DELETE FROM outgoing_mails',
        ),
      },
    ],
  ];
  it.each(faults)('finds %s, and says what to do', async (_title, fault) => {
    expectDiagnosis(await diagnose(fault, environment.variables), fault);
  });
});

describe('servicectl doctor, of the embedded default', () => {
  let folder: string;
  let variables: Record<string, string>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-doctor-'));
    variables = { SERVICE_SERVER__DATA_DIR: join(folder, '.service') };
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('refuses a folder without a deployment, and makes nothing there', async () => {
    const refused = await runCli(['doctor'], variables);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('there is no deployment here');
    expect(await readdir(folder)).toEqual([]);
  });

  it('finds a program that does not run, secrets that others may read, and one that is gone, and makes none', async () => {
    const data = join(folder, '.service');
    await mkdir(join(data, 'postgres'), { recursive: true });
    await writeFile(join(data, 'postgres', 'PG_VERSION'), '18\n');
    await mkdir(join(data, 'secrets'));
    await writeFile(join(data, 'secrets', 'postgres_password'), randomBytes(16).toString('hex'));
    await chmod(join(data, 'secrets'), 0o755);
    const found = await doctor(variables);
    expectDiagnosis(found, { finds: 'program_not_running', advises: /Start the program/, plant: () => ({}) });
    expectDiagnosis(found, { finds: 'secrets_readable', advises: /chmod -R go= /, plant: () => ({}) });
    expectDiagnosis(found, { finds: 'secrets_missing', advises: /from a backup/, plant: () => ({}) });
    expect(await readdir(join(data, 'secrets'))).toEqual(['postgres_password']);
  });

  it('finds nothing wrong with a program that runs, but for the mail server that it lacks', async () => {
    const service = await ServiceProcess.start({ ...variables, SERVICE_SERVER__PORT: '0' });
    const found = await doctor(variables);
    await service.stop();
    expect([codes(found), found.code]).toEqual([['mail_not_configured'], 0]);
  });
});

describe('servicectl doctor, of projects', () => {
  it('finds a project whose private key is gone', async () => {
    const environment = await createProjectEnvironment();
    const service = await ServiceProcess.start(environment.variables);
    try {
      const { ref } = await createProject(service.url ?? '', environment.adminToken);
      const healthy = await doctor(environment.variables);
      expect(codes(healthy)).not.toContain('project_key_unreadable');
      await rm(join(environment.keyFolder, `${ref}.pem`));
      const found = await doctor(environment.variables);
      expectDiagnosis(found, {
        finds: 'project_key_unreadable',
        advises: /auth\.jwt_dir/,
        plant: () => ({}),
      });
      expect(found.output).toContain(ref);
    } finally {
      await service.stop();
      await environment.dispose();
    }
  });
});
