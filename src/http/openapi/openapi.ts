import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-codes.js';
import { opensToRuns } from '../routes/access-kinds.js';
import type { RunTokenAccess } from '../routes/access-kinds.js';
import { ACTS_IN_TENANT, ADDRESSED, ANY_METHOD, TAKES_RUN_TOKENS } from '../routes/endpoint.js';
import { errorResponses, shownErrors } from '../errors/error-responses.js';
import { completed } from './openapi-completion.js';
import { tagsOf } from './tags.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type SecuritySchemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;

/** What the OpenAPI document says about the active profile. The module of the guards provides it. */
export abstract class ApiProfile {
  /** Paragraphs: what this API is, and how to begin. */
  abstract readonly description: readonly string[];

  /** The security schemes by name. `bearer` is one of them. */
  abstract readonly securitySchemes: SecuritySchemes;

  /** For routes that act in a tenant: which schemes may replace `bearer`, and how a request names the tenant. */
  abstract readonly tenantSecurity: NonNullable<Operation['security']>;
  abstract readonly tenantParameters: NonNullable<Operation['parameters']>;
  abstract readonly tenantErrors: readonly ErrorCode[];

  /** For routes that the request's host addresses: the response for an address that leads nowhere. */
  abstract readonly addressErrors: readonly ErrorCode[];
}

/** The release of the program, which is also the version in the API's document. */
export const VERSION = '0.1.0';
/** The security scheme of access tokens, under Nest's name for it. */
const BEARER = 'bearer';

/** Replaces the mark of a route that acts in a tenant by what the profile says about such routes. */
function completeForTenant(operation: Operation, profile: ApiProfile): void {
  const marked = operation as Operation & { [ACTS_IN_TENANT]?: boolean };
  if (marked[ACTS_IN_TENANT] !== true) return;
  Reflect.deleteProperty(marked, ACTS_IN_TENANT);
  operation.security = [...(operation.security ?? []), ...profile.tenantSecurity];
  operation.parameters = [...(operation.parameters ?? []), ...profile.tenantParameters];
  showErrors(operation, profile.tenantErrors);
}

/** For a route that answers any method, Nest documents more methods than this version of OpenAPI knows. */
function keepKnownMethods(item: object): void {
  const known = ANY_METHOD.map((method) => method.toLowerCase());
  for (const method of Object.keys(item)) if (!known.includes(method)) Reflect.deleteProperty(item, method);
}

/** Replaces the mark of a route that a host addresses by what the profile says about such routes. */
function completeForAddress(operation: Operation, profile: ApiProfile): void {
  const marked = operation as Operation & { [ADDRESSED]?: boolean };
  if (marked[ADDRESSED] !== true) return;
  Reflect.deleteProperty(marked, ADDRESSED);
  showErrors(operation, profile.addressErrors);
}

/** Replaces the mark of a route that takes credentials but no run tokens by a sentence that says so. */
function completeForRuns(method: string, path: string, operation: Operation): void {
  const marked = operation as Operation & { [TAKES_RUN_TOKENS]?: RunTokenAccess };
  const { [TAKES_RUN_TOKENS]: declared, security = [] } = marked;
  Reflect.deleteProperty(marked, TAKES_RUN_TOKENS);
  const takesBearer = security.some((scheme) => BEARER in scheme);
  if (takesBearer && !opensToRuns(method, path, declared)) showErrors(operation, ['run_token_not_allowed']);
}

function showErrors(operation: Operation, codes: readonly ErrorCode[]): void {
  const errors = errorResponses([...new Set([...shownErrors(operation.responses), ...codes])]);
  operation.responses = { ...operation.responses, ...errors };
}

function describe(app: INestApplication, profile: ApiProfile): OpenAPIObject {
  const base = new DocumentBuilder()
    .setTitle('Service')
    .setDescription([...profile.description, 'Every error has the body of the schema `Error`.'].join('\n\n'))
    .setVersion(VERSION)
    .setOpenAPIVersion('3.0.3')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description: 'The operator of the deployment: `admin.token`, or the access token of an operator.',
      },
      'admin',
    )
    .build();
  const document = SwaggerModule.createDocument(app, base, {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}_${method}`,
  });
  const { securitySchemes } = document.components ?? {};
  for (const [path, item] of Object.entries(document.paths)) {
    keepKnownMethods(item);
    for (const [method, operation] of Object.entries(item) as [string, Operation][]) {
      completeForTenant(operation, profile);
      completeForAddress(operation, profile);
      completeForRuns(method, path, operation);
    }
  }
  return completed({
    ...document,
    tags: tagsOf(document),
    components: {
      ...document.components,
      securitySchemes: { ...profile.securitySchemes, ...securitySchemes },
    },
  });
}

/** Serves the OpenAPI document at `/openapi.json` and `/openapi.yaml`. */
export function serveApiDescription(app: INestApplication, profile: ApiProfile): void {
  SwaggerModule.setup('docs', app, () => describe(app, profile), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    ui: false,
  });
}
