import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../../support/client.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment } from '../../support/project-environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

describe('projects of the operator', () => {
  let environment: ProjectEnvironment;
  let service: ServiceInProcess;
  let operator: Client;

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    operator = new Client(service.url).as(environment.adminToken);
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('are made with two keys and a key file that only its owner can read', async () => {
    const made = await operator.post('/admin/v1/projects', { ref: 'acme', name: 'Acme' });
    expect(made).toMatchObject({
      status: 201,
      body: {
        ref: 'acme',
        name: 'Acme',
        hosts: [],
        anon_key: expect.any(String),
        service_key: expect.any(String),
      },
    });
    const path = join(environment.keyFolder, 'acme.pem');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });

  it('show the anon key always and the service key never again', async () => {
    const { ref, anonKey } = await createProject(service.url, environment.adminToken);
    const shown = await operator.get(`/admin/v1/projects/${ref}`);
    expect(shown.body).toMatchObject({ ref, anon_key: anonKey });
    expect(shown.body).not.toHaveProperty('service_key');
  });
});
