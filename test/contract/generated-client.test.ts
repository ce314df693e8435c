import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTypes, { astToString } from 'openapi-typescript';
import { Client, PASSWORD } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import { createProject, createProjectEnvironment } from '../support/project-environment.js';
import { ServiceInProcess } from '../support/service-in-process.js';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const COMPILER = join(MODULES, 'typescript/bin/tsc');

const CREDENTIALS = `{ email: 'ada@example.com', password: '${PASSWORD}' }`;
const HEAD = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';
const [, , baseUrl = '', apikey = ''] = process.argv;`;

const ORGANIZATION = `${HEAD}
const client = createClient<paths>({ baseUrl });
await client.POST('/auth/v1/signup', { body: ${CREDENTIALS} });
const { data, error } = await client.POST('/auth/v1/token', {
  params: { query: { grant_type: 'password' } },
  body: ${CREDENTIALS},
});
if (data === undefined) throw new Error(error.error.code);
const headers = { authorization: 'Bearer ' + data.access_token };
const user = await client.GET('/auth/v1/user', { headers });
const refusal = await client.GET('/auth/v1/orgs/{org}', { headers, params: { path: { org: 'none' } } });
console.log(JSON.stringify([user.data?.email, refusal.error?.error.code]));`;

const PROJECT = `${HEAD}
const client = createClient<paths>({ baseUrl, headers: { apikey } });
await client.POST('/auth/v1/signup', { body: ${CREDENTIALS} });
const { data, error } = await client.POST('/auth/v1/token', { body: ${CREDENTIALS} });
if (data === undefined) throw new Error(error.error.code);
const headers = { authorization: 'Bearer ' + data.access_token };
const user = await client.GET('/auth/v1/user', { headers });
const refusal = await client.GET('/auth/v1/users', { headers });
console.log(JSON.stringify([user.data?.email, refusal.error?.error.code]));`;

describe('a client that is generated from the OpenAPI document', () => {
  it.each([
    {
      profile: 'organization',
      program: ORGANIZATION,
      refusal: 'not_a_member',
      make: async () => ({ environment: await createEnvironment(), adminToken: null }),
    },
    {
      profile: 'project',
      program: PROJECT,
      refusal: 'project_key_required',
      make: async () => {
        const environment = await createProjectEnvironment();
        return { environment, adminToken: environment.adminToken };
      },
    },
  ])('of the $profile profile compiles under strict, and signs in', async ({ program, refusal, make }) => {
    const { environment, adminToken } = await make();
    const folder = await mkdtemp(join(tmpdir(), 'service-generated-'));
    const service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    try {
      const { body } = await new Client(service.url).get('/openapi.json');
      const apikey = adminToken === null ? '' : (await createProject(service.url, adminToken)).anonKey;
      await symlink(MODULES, join(folder, 'node_modules'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await writeFile(join(folder, 'api.ts'), astToString(await openapiTypes(JSON.stringify(body))));
      await writeFile(join(folder, 'program.ts'), program);
      const compiling = [
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--types',
        'node',
        '--skipLibCheck',
      ];
      await run(process.execPath, [COMPILER, ...compiling, 'program.ts'], { cwd: folder });
      const { stdout } = await run(process.execPath, ['program.js', service.url, apikey], { cwd: folder });
      expect(JSON.parse(stdout)).toEqual(['ada@example.com', refusal]);
    } finally {
      await service.stop();
      await Promise.all([environment.dispose(), rm(folder, { recursive: true, force: true })]);
    }
  });
});
