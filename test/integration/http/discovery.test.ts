import express from 'express';
import { auth } from 'express-oauth2-jwt-bearer';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
  validateJwtAccessToken,
} from 'oauth4webapi';
import type { AuthorizationServer } from 'oauth4webapi';
import { Client, signUp } from '../../support/client.js';
import type { SignedUp } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { freePort } from '../../support/free-port.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/.well-known/jwks.json';
const API_URL = 'http://api.example.com/';

/** The issuer as a client of OpenID Connect Discovery finds it. @throws where it is not the URL that was asked */
async function discovered(
  issuer: string,
  headers: Record<string, string> = {},
): Promise<AuthorizationServer> {
  const url = new URL(issuer);
  const response = await discoveryRequest(url, {
    [allowInsecureRequests]: true,
    [customFetch]: async (address, init) =>
      await fetch(address, { method: init.method, headers: { ...init.headers, ...headers } }),
  });
  return await processDiscoveryResponse(url, response);
}

function requestWith(accessToken: string): Request {
  return new Request(API_URL, { headers: { authorization: `Bearer ${accessToken}` } });
}

async function expectCacheable(client: Client, path: string): Promise<void> {
  const first = await client.get(path);
  expect([path, first.status, first.headers.get('cache-control')]).toEqual([
    path,
    200,
    'public, max-age=300',
  ]);
  const etag = first.headers.get('etag') ?? '';
  const again = await client.with({ 'if-none-match': etag }).get(path);
  expect([path, again.status, again.body]).toEqual([path, 304, null]);
}

describe('discovery in the organization profile', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let issuer: string;
  let anonymous: Client;
  let user: SignedUp;

  beforeAll(async () => {
    const port = await freePort();
    issuer = `http://127.0.0.1:${port}`;
    environment = await createEnvironment();
    service = await ServiceInProcess.start({
      ...environment.variables,
      SERVICE_ROLE: 'api',
      SERVICE_SERVER__PORT: String(port),
      SERVICE_IDENTITY__JWT_ISSUER: issuer,
      SERVICE_IDENTITY__JWT_AUDIENCE: 'https://api.example.com',
      SERVICE_IDENTITY__PUBLIC_URL: `${issuer}/`,
    });
    anonymous = new Client(service.url);
    user = await signUp(service.url);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('says what is true of the service and nothing else', async () => {
    expect((await anonymous.get(CONFIGURATION)).body).toEqual({
      issuer,
      jwks_uri: `${issuer}${KEYS}`,
      token_endpoint: `${issuer}/auth/v1/token`,
      grant_types_supported: ['password', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      response_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      service_documentation: `${issuer}/docs`,
    });
  });

  it('has the keys of /auth/v1/keys', async () => {
    const [keys, wellKnown] = await Promise.all([anonymous.get('/auth/v1/keys'), anonymous.get(KEYS)]);
    expect(wellKnown.body).toEqual(keys.body);
    expect(wellKnown.headers.get('etag')).toBe(keys.headers.get('etag'));
  });

  it('may be cached for five minutes, and is 304 for a client that already has it', async () => {
    for (const path of [CONFIGURATION, KEYS]) await expectCacheable(anonymous, path);
  });

  it('is enough for a verifier that follows RFC 9068 to verify an access token', async () => {
    const found = await discovered(issuer);
    const claims = await validateJwtAccessToken(
      found,
      requestWith(user.accessToken),
      'https://api.example.com',
      { [allowInsecureRequests]: true },
    );
    expect(claims).toMatchObject({ iss: issuer, sub: user.userId, client_id: issuer });
  });

  it('is enough for an Express API to admit only the users of the issuer', async () => {
    const app = express();
    const guard = auth({ issuerBaseURL: issuer, audience: 'https://api.example.com', strict: true });
    app.get('/me', guard, ({ auth: found }, response) => {
      response.json(found?.payload);
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const api = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [header = '', claims = ''] = user.accessToken.split('.');
    expect(await api.as(user.accessToken).get('/me')).toMatchObject({
      status: 200,
      body: { sub: user.userId },
    });
    expect((await api.as(`${header}.${claims}.${'A'.repeat(342)}`).get('/me')).status).toBe(401);
    expect((await api.get('/me')).status).toBe(401);
    server.close();
    server.closeAllConnections();
  });
});

describe('discovery in the project profile, where the issuer is a name', () => {
  let environment: ProjectEnvironment;
  let service: ServiceInProcess;
  let project: TestProject;
  let anonymous: Client;

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    project = await createProject(service.url, environment.adminToken);
    anonymous = new Client(service.url);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  it('says where the key of the project is, to all who name it', async () => {
    const { anon, ref } = project;
    const expected = {
      issuer: 'service',
      jwks_uri: `${service.url}${KEYS}?ref=${ref}`,
      token_endpoint: `${service.url}/auth/v1/token`,
      id_token_signing_alg_values_supported: ['EdDSA'],
    };
    for (const answer of [
      await anon.get(CONFIGURATION),
      await anonymous.get(`${CONFIGURATION}?ref=${ref}`),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: expected });
      expect(answer.headers.get('vary')).toBe('Host, Authorization, apikey');
    }
    expect((await anonymous.get(CONFIGURATION)).status).toBe(400);
  });

  it('has the key of /auth/v1/keys, and may be cached', async () => {
    const query = `?ref=${project.ref}`;
    const [keys, wellKnown] = await Promise.all(
      [`/auth/v1/keys${query}`, `${KEYS}${query}`].map((path) => anonymous.get(path)),
    );
    expect(wellKnown?.body).toEqual(keys?.body);
    for (const path of [CONFIGURATION, KEYS]) await expectCacheable(anonymous, `${path}${query}`);
  });

  it('leads to a key that verifies access tokens, but no client takes a name for the URL that it asked', async () => {
    const { body } = await project.anon.get<AuthorizationServer>(CONFIGURATION);
    const { userId, accessToken } = await createProjectUser(service, project);
    const options = { [allowInsecureRequests]: true as const, signingAlgorithms: ['EdDSA'] };
    const claims = await validateJwtAccessToken(body, requestWith(accessToken), 'authenticated', options);
    expect(claims).toMatchObject({ sub: userId, client_id: project.ref });
    await expect(discovered(service.url, { apikey: project.anonKey })).rejects.toThrow();
  });
});
