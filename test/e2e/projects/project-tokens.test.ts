import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { JSONWebKeySet, JWTPayload } from 'jose';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Clock } from '../../../src/platform/lifecycle/index.js';
import { Client } from '../../support/client.js';
import { createProject, createProjectEnvironment } from '../../support/project-environment.js';
import type { ProjectEnvironment, TestProject } from '../../support/project-environment.js';
import { createProjectUser } from '../../support/project-users.js';
import type { ProjectUser } from '../../support/project-users.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { stopExpiry } from '../../support/clocks.js';
import { until } from '../../support/until.js';

const MINUTE_MS = 60_000;
const YEAR_SECS = 365.25 * 24 * 3600;

describe('the tokens of a project', () => {
  let environment: ProjectEnvironment;
  let service: ServiceInProcess;
  let client: Client;
  let project: TestProject;
  let user: ProjectUser;
  let jwks: JSONWebKeySet;
  let privateKey: KeyObject;

  beforeAll(async () => {
    environment = await createProjectEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    client = new Client(service.url);
    project = await createProject(service.url, environment.adminToken);
    user = await createProjectUser(service, project);
    jwks = (await client.get<JSONWebKeySet & Record<string, unknown>>(`/auth/v1/keys?ref=${project.ref}`))
      .body;
    privateKey = createPrivateKey(await readFile(join(environment.keyFolder, `${project.ref}.pem`)));
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  async function verified(token: string): Promise<{ payload: JWTPayload; typ: string | undefined }> {
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), {
      issuer: 'service',
      audience: 'authenticated',
      algorithms: ['EdDSA'],
    });
    return { payload, typ: protectedHeader.typ };
  }

  it('are verified by the public key of the JWKS, which has no private part', async () => {
    expect(jwks.keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        kid: expect.any(String),
        x: expect.any(String),
      },
    ]);
    const { payload, typ } = await verified(user.accessToken);
    expect(typ).toBe('at+jwt');
    expect(payload).toEqual({
      iss: 'service',
      aud: 'authenticated',
      client_id: project.ref,
      jti: expect.any(String),
      ref: project.ref,
      sub: user.userId,
      role: 'authenticated',
      email: user.email,
      sid: expect.any(String),
      auth_time: expect.any(Number),
      amr: ['pwd'],
      aal: 1,
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 900,
    });
    expect(decodeProtectedHeader(user.accessToken)).toEqual({
      alg: 'EdDSA',
      typ: 'at+jwt',
      kid: jwks.keys[0]?.kid,
    });
  });

  it('are for its keys good for ten years, name a role and no user', async () => {
    for (const [key, role] of [
      [project.anonKey, 'anon'],
      [project.serviceKey, 'service_role'],
    ] as const) {
      const { payload, typ } = await verified(key);
      expect(typ).toBe('key+jwt');
      expect(payload).toEqual({
        iss: 'service',
        aud: 'authenticated',
        ref: project.ref,
        role,
        jti: expect.any(String),
        iat: expect.any(Number),
        exp: expect.any(Number),
      });
      expect(((payload.exp ?? 0) - (payload.iat ?? 0)) / YEAR_SECS).toBeCloseTo(10, 1);
    }
  });

  it('of a user die after 15 minutes', async () => {
    const clock = service.application.get(Clock);
    const at = async (minutes: number): Promise<number> => {
      const now = new Date(Date.now() + minutes * MINUTE_MS);
      clock.now = () => now;
      return (await user.client.get('/jobs/v1/runs')).status;
    };
    try {
      expect(await at(14)).toBe(200);
      expect(await at(15.1)).toBe(401);
    } finally {
      clock.now = () => new Date();
    }
  });

  it('of a user die with the account, by its notification', async () => {
    const doomed = await createProjectUser(service, project);
    expect((await doomed.client.get('/jobs/v1/runs')).status).toBe(200);
    const clock = stopExpiry();
    await environment.database.query(
      `WITH gone AS (DELETE FROM users WHERE id = $1) SELECT pg_notify('service_changes', 'user:' || $1)`,
      [doomed.userId],
    );
    await until(async () => (await doomed.client.get('/jobs/v1/runs')).status === 401);
    clock.mockRestore();
  });

  it('are refused at the next request after the key was rotated, however often they were used', async () => {
    const rotated = await createProject(service.url, environment.adminToken);
    const path = '/jobs/v1/jobs';
    for (const use of [1, 2]) expect([use, (await rotated.service.get(path)).status]).toEqual([use, 200]);
    const { status } = await client
      .as(environment.adminToken)
      .post(`/admin/v1/projects/${rotated.ref}/keys/rotate`, { key: 'service' });
    expect(status).toBe(200);
    expect((await rotated.service.get(path)).status).toBe(401);
  });

  describe('made up', () => {
    const claims = (): JWTPayload => ({
      iss: 'service',
      aud: 'authenticated',
      ref: project.ref,
      sub: user.userId,
      role: 'authenticated',
      email: user.email,
      sid: user.userId,
    });
    const signed = (
      payload: JWTPayload,
      { typ = 'at+jwt', key = privateKey, exp = '5m' }: { typ?: string; key?: KeyObject; exp?: string } = {},
    ): Promise<string> =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: 'EdDSA', typ })
        .setIssuedAt()
        .setExpirationTime(exp)
        .sign(key);
    const statusOf = async (token: string): Promise<number> =>
      (await client.as(token).get('/jobs/v1/runs')).status;

    it('are good when they are made as ours are, so that what follows can fail', async () => {
      expect(await statusOf(await signed(claims()))).toBe(200);
    });

    it.each([
      ['another issuer', { iss: 'other' }],
      ['another audience', { aud: 'service' }],
      ['no user', { sub: undefined }],
      ['a user id of another form', { sub: 'root' }],
      ['another role', { role: 'service_role' }],
      ['no role', { role: undefined }],
      ['no session', { sid: undefined }],
      ['an unknown project', { ref: 'nobody' }],
      ['no project', { ref: undefined }],
      ['a path for a project', { ref: '../../etc/passwd' }],
    ])('with %s are refused', async (_, claim) => {
      expect(await statusOf(await signed({ ...claims(), ...claim }))).toBe(401);
    });

    it('by another key, or expired, or of no or another type, are refused', async () => {
      const { privateKey: strange } = generateKeyPairSync('ed25519');
      expect(await statusOf(await signed(claims(), { key: strange }))).toBe(401);
      expect(await statusOf(await signed(claims(), { exp: '-1s' }))).toBe(401);
      for (const typ of ['key+jwt', 'run+jwt', 'JWT', ''])
        expect(await statusOf(await signed(claims(), { typ }))).toBe(401);
    });

    it('as a service key, with a user\u2019s type or an old jti, are refused', async () => {
      const service_role = { ...claims(), role: 'service_role', sub: undefined };
      expect(await statusOf(await signed(service_role))).toBe(401);
      expect(await statusOf(await signed({ ...service_role, jti: project.id }, { typ: 'key+jwt' }))).toBe(
        401,
      );
    });

    it('without a signature, or with another algorithm than Ed25519, are refused', async () => {
      const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const exp = Math.floor(Date.now() / 1000) + 300;
      const payload = part({ ...claims(), iat: exp - 300, exp });
      expect(await statusOf(`${part({ alg: 'none', typ: 'at+jwt' })}.${payload}.`)).toBe(401);
      // The public key as the secret of an HMAC: the classic confusion.
      const secret = Buffer.from(jwks.keys[0]?.x ?? '', 'base64url');
      const hmac = await new SignJWT({ ...claims() })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(secret);
      expect(await statusOf(hmac)).toBe(401);
    });

    it.each(['', 'x', 'a.b.c', 'Bearer', 'x'.repeat(5000)])('as %j are refused', async (token) => {
      expect(await statusOf(token)).toBe(401);
    });
  });
});
