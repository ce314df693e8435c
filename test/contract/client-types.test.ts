import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from '../support/client.js';
import { clientTypesOf } from '../support/client-types.js';
import type { OpenApiDocument } from '../support/client-types.js';
import { createEnvironment } from '../support/environment.js';
import { createProjectEnvironment } from '../support/project-environment.js';
import { ServiceInProcess } from '../support/service-in-process.js';

describe('the types of the client', () => {
  it.each([
    { profile: 'organization', make: createEnvironment },
    { profile: 'project', make: createProjectEnvironment },
  ])('are those of the OpenAPI document of the $profile profile', async ({ profile, make }) => {
    const generated = new URL(`../../client/src/generated/${profile}-api.ts`, import.meta.url);
    const environment = await make();
    const service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    try {
      const { body } = await new Client(service.url).get<unknown>('/openapi.json');
      const types = await clientTypesOf(body as OpenApiDocument);
      if (process.env.UPDATE_CLIENT_TYPES) writeFileSync(generated, types);
      expect(readFileSync(generated, 'utf8')).toBe(types);
    } finally {
      await service.stop();
      await environment.dispose();
    }
  });
});
