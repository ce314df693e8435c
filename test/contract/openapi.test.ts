import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ERROR_CODES } from '../../src/http/index.js';
import { Client } from '../support/client.js';
import { programRoutes } from '../support/routes.js';
import type { Route } from '../support/routes.js';
import { sharedProgram } from '../support/shared-program.js';
import type { SharedProgram } from '../support/shared-program.js';

interface MediaType {
  schema?: Record<string, unknown>;
  examples?: Record<string, { value: { error: { code: string; status: number } } }>;
}

interface Response {
  description?: string;
  content?: Record<string, MediaType>;
}

interface Operation {
  operationId?: string;
  parameters?: { name: string; in: string }[];
  summary?: string;
  tags?: string[];
  security?: Record<string, unknown>[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Record<string, unknown>>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, unknown>;
  };
}

/** What is not answered as JSON alone. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  'GET /metrics': ['text/plain'],
  'GET /admin/v1/audit/export': ['application/x-ndjson', 'text/csv'],
  'GET /auth/v1/audit/export': ['application/x-ndjson', 'text/csv'],
  'GET /auth/v1/orgs/{org}/audit/export': ['application/x-ndjson', 'text/csv'],
  'GET /jobs/v1/logs': ['application/json', 'text/event-stream'],
  'GET /jobs/v1/runs/{id}/logs': ['application/json', 'text/event-stream'],
};

/** They answer in the status alone, with 204 or with 200. */
const GATES = /^[A-Z]+ \/auth\/v1\/gate(?:\/|$)/;

function everyObject(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(everyObject);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(everyObject)];
}

function follow(document: unknown, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
}

/** The security requirements of a route, by whom it is open to. */
function credentialsFor(access: string, keyScheme: string): Record<string, string[]>[] {
  if (access === 'public' || access === 'addressed') return [];
  if (access === 'operator') return [{ admin: [] }];
  if (access === 'optional') return [{ bearer: [] }, {}];
  if (access === 'project') return [{ bearer: [] }, { [keyScheme]: [] }, {}];
  const takesKeys = ['member', 'anon_key', 'service_key'].includes(access) || access.includes(':');
  return [{ bearer: [] }, ...(takesKeys ? [{ [keyScheme]: [] }] : [])];
}

/** Of a sign-in that waits for a factor, and of an account that lacks a required one. */
const FURTHER_STATUSES: Readonly<Record<string, readonly number[]>> = { second_factor_required: [403] };

describe.each([
  { profile: 'organization', keyScheme: 'api_key' },
  { profile: 'project', keyScheme: 'project_key' },
] as const)('the OpenAPI document of the $profile profile', ({ profile, keyScheme }) => {
  let program: SharedProgram;
  let document: Document;
  let operations: [string, Operation][];
  let routes: Route[];

  beforeAll(async () => {
    program = await sharedProgram(profile);
    const { body } = await new Client(program.url).get<Document>('/openapi.json');
    document = body;
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
    routes = await programRoutes(profile);
  });
  it('is valid by the schema of its version', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...structuredClone(document) });
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toMatch(/^3\./);
  });

  it('passes a strict linter without an error or a warning', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      // Some operations refuse only what any may refuse, which the linter does not see in `default`.
      rules: { 'operation-4xx-response': 'off' },
    });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it('has every route of the program, and nothing else', () => {
    const served = routes.map(({ method, path }) => `${method} ${path}`);
    const documented = operations.map(([name]) => name);
    expect(documented.sort()).toEqual(served.sort());
  });

  it('gives each operation an id of its own, a summary, a group and the answer of success', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(operations.length);
    expect(ids).not.toContain(undefined);
    for (const [name, { summary, tags, responses }] of operations) {
      expect([name, summary]).toEqual([name, expect.stringMatching(/^\S.*[^.]$/)]);
      expect([name, tags]).toEqual([name, [expect.any(String)]]);
      const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      if (GATES.test(name)) {
        expect([name, success.every(([, { content }]) => content === undefined)]).toEqual([name, true]);
        continue;
      }
      expect([name, success.length]).toEqual([name, 1]);
      const [[status, answer] = ['', {}]] = success;
      const expected = TYPES[name] ?? [tags?.[0] === 'Pages' ? 'text/html' : 'application/json'];
      const media = Object.entries(answer.content ?? {});
      expect([name, media.map(([type]) => type)]).toEqual([name, status === '204' ? [] : expected]);
      expect([name, media.filter(([, { schema }]) => schema === undefined)]).toEqual([name, []]);
    }
  });

  it('shows each error that a route declares, under its status, with the one error body', () => {
    const shown = operations.flatMap(([, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { content }]) => ({ status: Number(status), json: content?.['application/json'] }))
        .filter(({ json }) => json?.examples !== undefined),
    );
    expect(shown.length).toBeGreaterThan(20);
    for (const { status, json } of shown) {
      expect(json?.schema).toEqual({ $ref: '#/components/schemas/Error' });
      const codes = Object.entries(json?.examples ?? {});
      expect(codes.length).toBeGreaterThan(0);
      for (const [code, { value }] of codes) {
        const statuses = [
          ERROR_CODES[code as keyof typeof ERROR_CODES].status,
          ...(FURTHER_STATUSES[code] ?? []),
        ];
        expect([code, statuses]).toEqual([code, expect.arrayContaining([status])]);
        expect(value.error).toMatchObject({ code, status });
      }
    }
  });

  it('has limit and cursor at each list that can grow', () => {
    const lists = operations.filter(([, { responses }]) => {
      const schema = responses['200']?.content?.['application/json']?.schema;
      return schema?.type === 'array';
    });
    expect(lists.length).toBeGreaterThan(5);
    const unpaged = lists.filter(([, { parameters = [] }]) =>
      ['limit', 'cursor'].some((wanted) => parameters.every(({ name }) => name !== wanted)),
    );
    // As many as a job has schedules and webhooks, as there are mails, processes, operators and settings, the tenants that have waited longest, intervals,
    // at most ten factors, and at most a thousand steps.
    const ofProfile =
      profile === 'organization'
        ? ['GET /admin/v1/templates', 'GET /admin/v1/users/{id}/factors']
        : ['GET /auth/v1/templates', 'GET /auth/v1/users/{id}/factors'];
    expect(unpaged.map(([name]) => name).sort()).toEqual(
      [
        'GET /admin/v1/instances',
        'GET /admin/v1/operators',
        'GET /admin/v1/queue',
        'GET /admin/v1/settings',
        'GET /admin/v1/sign-ins/stats',
        'GET /auth/v1/factors',
        ...ofProfile,
        'GET /jobs/v1/jobs/{id}/next',
        'GET /jobs/v1/jobs/{id}/webhooks',
        'GET /jobs/v1/runs/{id}/steps',
        'GET /jobs/v1/stats',
      ].sort(),
    );
  });

  it('names the credentials of each route that is not open to all', () => {
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    });
    for (const { method, path, access } of routes) {
      const operation = document.paths[path]?.[method.toLowerCase()];
      if (operation === undefined) continue;
      // The JWKS of a project, which its key names as well.
      const more = profile === 'project' && access === 'optional' ? [{ [keyScheme]: [] }] : [];
      const expected = [...more, ...credentialsFor(access ?? '', keyScheme)];
      expect([path, operation.security]).toEqual([path, expected]);
      if (access === 'public' || access === 'addressed') continue;
      expect(Object.keys(operation.responses)).toContain('401');
    }
  });

  it('gives what any operation may refuse once, as the default of each', () => {
    const { Error: general, ErrorPage: page } = document.components.responses;
    for (const [name, { tags, responses }] of operations) {
      const $ref = `#/components/responses/${tags?.[0] === 'Pages' ? 'ErrorPage' : 'Error'}`;
      expect([name, responses.default]).toEqual([name, { $ref }]);
      for (const status of ['415', '429', '500']) {
        const codes = Object.keys(responses[status]?.content?.['application/json']?.examples ?? {});
        // Only where the operation has a limit of its own.
        expect([name, codes]).toEqual([name, status === '429' && codes.length > 0 ? ['rate_limited'] : []]);
      }
    }
    const examples = Object.values(general?.content?.['application/json']?.examples ?? {});
    const statuses = new Set(examples.map(({ value }) => value.error.status));
    expect([...statuses]).toEqual(expect.arrayContaining([400, 413, 415, 429, 500]));
    expect(Object.keys(page?.content ?? {})).toEqual(['text/html', 'application/json']);
  });

  it('lets a body be left out that has nothing which must be in it', () => {
    const optional = operations.flatMap(([name, { requestBody }]) =>
      requestBody !== undefined && requestBody.required !== true ? [name] : [],
    );
    expect(optional).toEqual(
      expect.arrayContaining(['POST /jobs/v1/jobs/{id}/trigger', 'POST /auth/v1/logout']),
    );
    expect(optional).not.toContain('POST /jobs/v1/jobs');
  });

  it('describes any JSON and forms as bodies of hooks, and each of their refusals', () => {
    for (const method of ['post', 'put', 'patch'] as const) {
      const { requestBody, responses } = document.paths['/jobs/v1/hooks/{name}']?.[method] ?? {};
      expect(Object.keys(requestBody?.content ?? {})).toEqual([
        'application/json',
        'application/x-www-form-urlencoded',
        '*/*',
      ]);
      expect(Object.keys(responses ?? {})).toEqual(
        expect.arrayContaining(['202', '400', '401', '404', '405', '409', '413']),
      );
    }
  });

  it('shows the refusals of pages as pages, and the body of health when the service is unwell', () => {
    const pages = operations.filter(([, { tags }]) => tags?.[0] === 'Pages');
    expect(pages.length).toBeGreaterThan(0);
    for (const [, { responses }] of pages) expect(responses['400']?.content).toHaveProperty(['text/html']);
    for (const path of ['/health', '/health/ready']) {
      const { 200: well, 503: unwell } = document.paths[path]?.get?.responses ?? {};
      expect(unwell?.content).toEqual(well?.content);
    }
  });

  it('lets null stand for an object only where its own schema says so', () => {
    const beside = everyObject(document).filter(
      (schema) =>
        schema.nullable === true && ['$ref', 'allOf', 'oneOf', 'anyOf'].some((key) => key in schema),
    );
    expect(beside).toEqual([]);
    expect(document.components.schemas.NullableRunDto).toMatchObject({ type: 'object', nullable: true });
  });

  it('has something at the end of each reference', () => {
    const references = everyObject(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((reference) => follow(document, reference) === undefined)).toEqual([]);
  });

  it('says of each named schema what is in it', () => {
    const empty = Object.entries(document.components.schemas).filter(
      ([, { properties }]) => Object.keys((properties as object | undefined) ?? {}).length === 0,
    );
    expect(empty).toEqual([['Json', { description: 'Any JSON value.' }]]);
    const untyped = Object.entries(document.components.schemas).flatMap(([name, { properties }]) =>
      Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>)
        .filter(([, schema]) => ['type', '$ref', 'allOf', 'oneOf', 'anyOf'].every((key) => !(key in schema)))
        .map(([property]) => `${name}.${property}`),
    );
    expect(untyped).toEqual([]);
  });

  it('is also served as YAML, beside a page to use it by hand', async () => {
    const client = new Client(program.url);
    const yaml = await client.get<string>('/openapi.yaml');
    expect([yaml.status, yaml.body.slice(0, 9)]).toEqual([200, 'openapi: ']);
    const page = await client.get<string>('/docs');
    expect(page.status).toBe(200);
    const [, script = ''] = /<script src="([^"]+)"/.exec(page.body) ?? [];
    expect((await client.get(script)).status).toBe(200);
  });

  it('describes each group of operations, in reading order', () => {
    const { tags = [] } = document as Document & { tags?: { name: string; description?: string }[] };
    expect(tags[0]?.name).toBe('Identity');
    expect(tags.filter(({ description = '' }) => description === '')).toEqual([]);
  });
});
