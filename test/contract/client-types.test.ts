import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from '../support/client.js';
import { clientTypesOf } from '../support/client-types.js';
import type { OpenApiDocument } from '../support/client-types.js';
import { createEnvironment } from '../support/environment.js';
import { ServiceInProcess } from '../support/service-in-process.js';

const generated = new URL('../../client/src/generated/organization-api.ts', import.meta.url);

describe('the types of the client', () => {
  it('are those of the OpenAPI document', async () => {
    const environment = await createEnvironment();
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
