import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment } from '../../support/project-environment.js';
import { ServiceProcess } from '../../support/service-process.js';

let environment: ProjectEnvironment;
let service: ServiceProcess;

beforeAll(async () => {
  environment = await createProjectEnvironment();
  service = await ServiceProcess.start(environment.variables);
}, 90_000);

afterAll(async () => {
  await service.stop();
  await environment.dispose();
});

test('the walk of examples/project goes through to its end', async () => {
  const walk = promisify(execFile)(process.execPath, ['examples/project/walk.mjs', service.url ?? ''], {
    env: { ...process.env, ADMIN_TOKEN: environment.adminToken },
  });
  expect((await walk).stdout).toMatch(/The walk is done\.\n$/);
}, 60_000);
