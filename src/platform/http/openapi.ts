import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { API_KEY_SECURITY } from './endpoint.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const VERSION = '0.1.0';

const ERROR_SCHEMA: Schemas[string] = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: {
        code: { type: 'string', description: 'Stable; what a program decides by.' },
        message: { type: 'string', description: 'For people; may change.' },
        status: { type: 'integer' },
        hint: { type: 'string', description: 'What to do next.' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
};

function describe(app: INestApplication): OpenAPIObject {
  const description = [
    'Who is calling, in which organization, and what they may do; and background jobs.',
    'Try it here: sign up, copy `access_token`, press **Authorize**, and name your organization in `X-Service-Org`.',
    'Every error has the body of the schema `Error`.',
  ].join('\n\n');
  const base = new DocumentBuilder()
    .setTitle('Service')
    .setDescription(description)
    .setVersion(VERSION)
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      description: 'An access token, or an API key where one is allowed.',
    })
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of an organization.' },
      API_KEY_SECURITY,
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'The deployment operator: `admin.token`.' },
      'admin',
    )
    .build();
  const document = SwaggerModule.createDocument(app, base, {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}_${method}`,
  });
  return {
    ...document,
    components: { ...document.components, schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA } },
  };
}

/** Serves the OpenAPI document at `/openapi.json` and a page to use it by hand at `/docs`. */
export function serveApiDocumentation(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => describe(app), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Service API',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, docExpansion: 'list' },
  });
}
