import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from '../support/client.js';
import { clientTypesOf } from '../support/client-types.js';
import type { OpenApiDocument } from '../support/client-types.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { createProject, createProjectEnvironment } from '../support/project-environment.js';
import { ServiceInProcess } from '../support/service-in-process.js';
import { runGeneratedClient } from './generated-client.js';

describe.each([
  { profile: 'organization', refusal: 'not_a_member', make: createEnvironment },
  { profile: 'project', refusal: 'project_key_required', make: createProjectEnvironment },
] as const)('clients of the $profile profile', ({ profile, refusal, make }) => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let document: OpenApiDocument;

  beforeAll(async () => {
    environment = await make();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    document = (await new Client(service.url).get<unknown>('/openapi.json')).body as OpenApiDocument;
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('have the types of the OpenAPI document, where they are ours', async () => {
    const generated = new URL(`../../client/src/generated/${profile}-api.ts`, import.meta.url);
    const types = await clientTypesOf(document);
    if (process.env.UPDATE_CLIENT_TYPES) writeFileSync(generated, types);
    expect(readFileSync(generated, 'utf8')).toBe(types);
  });

  it('compile under strict and sign in, where they are generated', async () => {
    const { SERVICE_ADMIN__TOKEN: adminToken } = environment.variables;
    const apikey = adminToken === undefined ? '' : (await createProject(service.url, adminToken)).anonKey;
    expect(await runGeneratedClient(profile, document, service.url, apikey)).toEqual([
      'generated@example.com',
      refusal,
    ]);
    // A compiler of its own, over the types of the platform.
  }, 120_000);
});
