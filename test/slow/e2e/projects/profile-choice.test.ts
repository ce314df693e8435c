import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, signUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import { createProject, createProjectEnvironment } from '../../../support/project-environment.js';
import { ServiceInProcess } from '../../../support/service-in-process.js';
import { ServiceProcess } from '../../../support/service-process.js';

describe('the choice of a profile', () => {
  it('is free on a database that was started in the other one but never used', async () => {
    const environment = await createProjectEnvironment();
    const inOrganization = { ...environment.variables, SERVICE_IDENTITY__PROFILE: 'organization' };
    const api = { SERVICE_ROLE: 'api' };
    await (await ServiceInProcess.start({ ...inOrganization, ...api })).stop();
    await (await ServiceInProcess.start({ ...environment.variables, ...api })).stop();
    await (await ServiceInProcess.start({ ...inOrganization, ...api })).stop();
    await environment.dispose();
  });

  it('refuses to serve organizations on the data of projects, and says what to do', async () => {
    const environment = await createProjectEnvironment();
    const service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    const { ref } = await createProject(service.url, environment.adminToken);
    await service.stop();
    const inOrganization = { ...environment.variables, SERVICE_IDENTITY__PROFILE: 'organization' };
    const refused = ServiceProcess.spawn(inOrganization);
    expect(await refused.exit()).toBe(1);
    expect(refused.log).toContain('this database holds data of the profile "project"');
    expect(refused.log).toContain('set identity.profile = "project"');
    expect(refused.log).not.toMatch(/^\s+at /m);
    expect(refused.url).toBeNull();
    expect(await environment.database.query('SELECT ref FROM projects')).toEqual([{ ref }]);
    expect(await environment.database.query('SELECT kid FROM signing_keys')).toEqual([]);
    await environment.dispose();
  });

  it('refuses to serve projects on the data of organizations, and says what to do', async () => {
    const environment = await createEnvironment();
    const service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    await signUp(service.url);
    await service.stop();
    const refused = ServiceProcess.spawn({
      ...environment.variables,
      SERVICE_IDENTITY__PROFILE: 'project',
      SERVICE_AUTH__JWT_DIR: tmpdir(),
    });
    expect(await refused.exit()).toBe(1);
    expect(refused.log).toContain('this database holds data of the profile "organization"');
    expect(refused.log).toContain('set identity.profile = "organization"');
    expect(refused.url).toBeNull();
    await environment.dispose();
  });

  it('serves the routes of the chosen one alone, and keeps organizations\u2019 tables and keys empty for projects', async () => {
    const environment = await createProjectEnvironment();
    const service = await ServiceInProcess.start(environment.variables);
    const operator = new Client(service.url).as(environment.adminToken);
    const { service: caller } = await createProject(service.url, environment.adminToken);
    for (const path of ['/auth/v1/orgs', '/auth/v1/permissions', '/auth/v1/gate?permission=a:b:c'])
      expect([path, (await caller.get(path)).status]).toEqual([path, 404]);
    for (const path of ['/admin/v1/orgs', '/admin/v1/users', '/admin/v1/signing-keys'])
      expect([path, (await operator.get(path)).status]).toEqual([path, 404]);
    expect((await operator.get('/health')).body).toMatchObject({ capabilities: { auth: 'ok' } });
    for (const table of ['organizations', 'members', 'roles', 'signing_keys'])
      expect([table, await environment.database.query(`SELECT FROM ${table}`)]).toEqual([table, []]);
    await service.stop();
    await environment.dispose();
  });

  it('of organizations leaves no route for projects', async () => {
    const environment = await createEnvironment();
    const service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_ADMIN__TOKEN: 'operator',
    });
    expect((await new Client(service.url).as('operator').get('/admin/v1/projects')).status).toBe(404);
    await service.stop();
    await environment.dispose();
  });

  it('of projects takes one private key for all of them in auth.jwt_pem', async () => {
    const environment = await createProjectEnvironment();
    const variables = Object.fromEntries(
      Object.entries(environment.variables).filter(([name]) => name !== 'SERVICE_AUTH__JWT_DIR'),
    );
    const { privateKey } = generateKeyPairSync('ed25519');
    const service = await ServiceInProcess.start({
      ...variables,
      SERVICE_ROLE: 'api',
      SERVICE_AUTH__JWT_PEM: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    });
    const [a, b] = [
      await createProject(service.url, environment.adminToken),
      await createProject(service.url, environment.adminToken),
    ];
    const [ofA, ofB] = await Promise.all([a.anon.get('/auth/v1/keys'), b.anon.get('/auth/v1/keys')]);
    expect(ofA.status).toBe(200);
    expect(ofB.body).toEqual(ofA.body);
    // One key signs for both, and yet neither's token is good for the other.
    const swapped = a.anon.as(b.anonKey);
    expect((await swapped.get('/auth/v1/keys')).status).toBe(403);
    expect(await readdir(environment.keyFolder)).toEqual([]);
    await service.stop();
    await environment.dispose();
  });

  it('of projects keeps their keys under the data folder when the embedded default chooses the place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-data-'));
    const service = await ServiceProcess.start({
      SERVICE_SERVER__DATA_DIR: folder,
      SERVICE_SERVER__PORT: '0',
      SERVICE_IDENTITY__PROFILE: 'project',
      SERVICE_ADMIN__TOKEN: 'operator',
      SERVICE_LOG__LEVEL: 'fatal',
    });
    const { ref } = await createProject(service.url ?? '', 'operator');
    const file = await stat(join(folder, 'project-keys', `${ref}.pem`));
    expect(file.mode & 0o777).toBe(0o600);
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
});
