import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { textOf } from '../../support/documents/markdown.js';
import { createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment } from '../../support/project-environment.js';
import { ServiceProcess } from '../../support/service-process.js';

let environment: ProjectEnvironment;
let service: ServiceProcess;

/** The settings of the line by which a document starts the program for the walk, but for the place of its data. */
function settingsOf(document: string): Record<string, string> {
  const [, line = ''] = /^(SERVICE_.*) npm start$/m.exec(textOf(document)) ?? [];
  const settings = line.split(' ').map((setting) => setting.split('=', 2) as [string, string]);
  return Object.fromEntries(settings.filter(([name]) => name !== 'SERVICE_SERVER__DATA_DIR'));
}

beforeAll(async () => {
  environment = await createProjectEnvironment();
  const variables: Record<string, string> = { ...environment.variables };
  delete variables.SERVICE_AUTH__PRIVATE_MAIL_HOSTS;
  delete variables.SERVICE_IDENTITY__PROFILE;
  service = await ServiceProcess.start({ ...variables, ...settingsOf('README.md') });
});

afterAll(async () => {
  await service.stop();
  await environment.dispose();
});

test('the README and examples/project start the program for the walk in one way', () => {
  expect(settingsOf('examples/project/README.md')).toEqual(settingsOf('README.md'));
});

test('the walk of examples/project goes through to its end on the program as the README starts it', async () => {
  const walk = promisify(execFile)(process.execPath, ['examples/project/walk.mjs', service.url ?? ''], {
    env: { ...process.env, ADMIN_TOKEN: environment.adminToken },
  });
  expect((await walk).stdout).toMatch(/The walk is done\.\n$/);
});
