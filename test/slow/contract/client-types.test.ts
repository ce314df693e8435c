import { readFileSync, writeFileSync } from 'node:fs';
import { ERROR_CODES } from '../../../src/http/index.js';
import { Client } from '../../support/client.js';
import { clientTypesOf } from '../../support/client-types.js';
import type { OpenApiDocument, Profile } from '../../support/client-types.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { runGeneratedClient } from './generated-client.js';

const GENERATED = new URL('../../../client/src/generated/api.ts', import.meta.url);

/** By profile: how its service is made, and the code of the call that the client program sees refused. */
const PROFILES = {
  organization: { make: createEnvironment, refusal: 'not_a_member' },
  project: { make: createProjectEnvironment, refusal: 'project_key_required' },
};

/** Runs a service while `use` needs it, with its document. */
async function withService<Result>(
  profile: Profile,
  use: (document: OpenApiDocument, url: string, environment: TestEnvironment) => Result | Promise<Result>,
): Promise<Result> {
  const environment = await PROFILES[profile].make();
  const service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
  try {
    const { body } = await new Client(service.url).get<unknown>('/openapi.json');
    return await use(body as OpenApiDocument, service.url, environment);
  } finally {
    await service.stop();
    await environment.dispose();
  }
}

describe('client types', () => {
  it('of @service/client are those of the OpenAPI documents of both profiles', async () => {
    const organization = await withService('organization', (document) => document);
    const project = await withService('project', (document) => document);
    const types = await clientTypesOf({ organization, project }, Object.keys(ERROR_CODES));
    if (process.env.UPDATE_CLIENT_TYPES) writeFileSync(GENERATED, types);
    expect(readFileSync(GENERATED, 'utf8')).toBe(types);
  });

  it('of @service/client have no member of type never', () => {
    expect(readFileSync(GENERATED, 'utf8')).not.toMatch(/\bnever;/);
  });

  it.each(['organization', 'project'] as const)(
    'that openapi-typescript makes of the %s profile compile under strict, and their client signs in',
    async (profile) => {
      const outcome = await withService(profile, async (document, url, { variables }) => {
        const { SERVICE_ADMIN__TOKEN: adminToken } = variables;
        const apikey = adminToken === undefined ? '' : (await createProject(url, adminToken)).anonKey;
        return await runGeneratedClient(profile, document, url, apikey);
      });
      expect(outcome).toEqual(['generated@example.com', PROFILES[profile].refusal]);
    },
    // It runs a compiler over the types of the platform.
    120_000,
  );
});
