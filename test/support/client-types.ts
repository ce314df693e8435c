import openapiTypes, { astToString } from 'openapi-typescript';

interface Operation {
  responses: Record<string, unknown>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

const BANNER = `// Made from /openapi.json by openapi-typescript. After a change of the API:
// UPDATE_CLIENT_TYPES=1 npm test -- test/contract/client-types
`;

/** Every refusal has the one error body, which the client turns into a ServiceError. */
function withoutRefusals(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  for (const item of Object.values(copy.paths))
    for (const operation of Object.values(item))
      for (const status of Object.keys(operation.responses))
        if (!status.startsWith('2')) Reflect.deleteProperty(operation.responses, status);
  return copy;
}

/** The client's types of an OpenAPI document. */
export async function clientTypesOf(document: OpenApiDocument): Promise<string> {
  const syntax = await openapiTypes(JSON.stringify(withoutRefusals(document)), {
    alphabetize: true,
    defaultNonNullable: false,
  });
  return `${BANNER}${astToString(syntax)}`;
}
