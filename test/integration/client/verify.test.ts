import { Controller, Get, HttpException, Module, Req, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { INestApplication } from '@nestjs/common';
import express from 'express';
import fastify from 'fastify';
import type { AddressInfo, Server } from 'node:net';
import { callerOf, createVerifier } from '../../../client/src/verify/index.js';
import type { Verifier, VerifierOptions } from '../../../client/src/verify/index.js';
import type { HeaderBag } from '../../../client/src/verify/caller.js';
import { addMember, makeKey } from '../../support/api-keys.js';
import { Client, signUp, signUpOwner } from '../../support/client.js';
import type { SignedUp } from '../../support/client.js';
import { clockAhead } from '../../support/clocks.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { addFactor } from '../../support/second-factor.js';
import { ServiceInProcess } from '../../support/service-in-process.js';

const PERMISSION = 'data:orders:read';
const CHECK = '/auth/v1/permissions/check';
const KEYS = '/auth/v1/keys';

interface OrdersAnswer {
  caller?: { type: string; userId?: string };
  error?: { code: string };
}

/** A program that protects `/orders` by permission and `/me` by identity; tells who called. */
interface Protected {
  readonly url: string;
  stop(): Promise<void>;
}

function told(request: object): { caller: unknown } {
  return { caller: callerOf(request) };
}

async function withExpress(verifier: Verifier): Promise<Protected> {
  const app = express();
  app.get('/orders', verifier.express.requirePermission(PERMISSION), (request, response) => {
    response.json(told(request));
  });
  app.get('/me', verifier.express.requireUser(), (request, response) => {
    response.json(told(request));
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => {
      resolve(listening);
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      ),
  };
}

async function withFastify(verifier: Verifier): Promise<Protected> {
  const app = fastify();
  app.get('/orders', { preHandler: verifier.fastify.requirePermission(PERMISSION) }, told);
  app.get('/me', { onRequest: verifier.fastify.requireUser() }, told);
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), stop: () => app.close() };
}

async function withNest(verifier: Verifier): Promise<Protected> {
  @Controller()
  class OrdersController {
    @Get('orders')
    @UseGuards(verifier.nest.requirePermission(PERMISSION))
    orders(@Req() request: object): unknown {
      return told(request);
    }

    @Get('me')
    @UseGuards(verifier.nest.requireUser())
    me(@Req() request: object): unknown {
      return told(request);
    }
  }

  @Module({ controllers: [OrdersController] })
  class OrdersModule {}

  const app: INestApplication = await NestFactory.create(OrdersModule, new FastifyAdapter(), {
    logger: false,
  });
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), stop: () => app.close() };
}

describe('a verifier', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let asked: string[];
  let owner: SignedUp & { orgId: string; slug: string };
  let reader: SignedUp;
  let stranger: SignedUp;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ROLE: 'api' });
    owner = await signUpOwner(service.url);
    reader = await addMember(service.url, environment.database, owner.orgId, ['data:*:read']);
    stranger = await addMember(service.url, environment.database, owner.orgId, ['data:invoices:read']);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  beforeEach(() => {
    asked = [];
  });

  function verifierOf(options: Partial<VerifierOptions> = {}): Verifier {
    return createVerifier({
      url: service.url,
      fetch: async (url, init) => {
        asked.push(new URL(url).pathname);
        return await fetch(url, init);
      },
      ...options,
    });
  }

  it('demands a second factor and a recent proof of users, and not of API keys', async () => {
    const verifier = verifierOf();
    const person = await addMember(service.url, environment.database, owner.orgId, [PERMISSION]);
    const headers = { authorization: `Bearer ${person.accessToken}` };
    const lacks = { statusCode: 403, code: 'second_factor_required' };
    await expect(verifier.requireUser(headers, { maxAuthAgeSecs: 60 })).resolves.toMatchObject({ aal: 1 });
    await expect(verifier.requireUser(headers, { aal: 2 })).rejects.toMatchObject(lacks);
    await expect(verifier.requirePermission(headers, PERMISSION, { aal: 2 })).rejects.toMatchObject(lacks);
    const { key } = await makeKey(owner.client, owner.slug, [PERMISSION]);
    await expect(
      verifier.requirePermission({ 'x-api-key': key }, PERMISSION, { aal: 2 }),
    ).resolves.toMatchObject({ type: 'key' });

    await addFactor(person.client);
    await environment.database.query(
      `UPDATE sessions SET auth_time = now() - interval '2 minutes' WHERE user_id = $1`,
      [person.userId],
    );
    const refreshed = await new Client(service.url).post<{ access_token: string }>(
      '/auth/v1/token?grant_type=refresh_token',
      { refresh_token: person.refreshToken },
    );
    const raised = { authorization: `Bearer ${refreshed.body.access_token}` };
    await expect(verifier.requirePermission(raised, PERMISSION, { aal: 2 })).resolves.toMatchObject({
      aal: 2,
      amr: expect.arrayContaining(['pwd', 'otp', 'mfa']),
    });
    await expect(verifier.requireUser(raised, { maxAuthAgeSecs: 60 })).rejects.toMatchObject({
      statusCode: 403,
      code: 'reauthentication_required',
    });
    await expect(verifier.requireUser(raised, { maxAuthAgeSecs: 300 })).resolves.toMatchObject({ aal: 2 });
    expect(() => verifier.express.requireUser({ maxAuthAgeSecs: 0 })).toThrow(TypeError);
  });

  describe.each([
    ['Express', withExpress],
    ['Fastify', withFastify],
    ['Nest', withNest],
  ])('in %s', (_framework, start) => {
    let program: Protected;

    beforeEach(async () => {
      program = await start(
        verifierOf({
          // What is asked is counted, however long it takes.
          rememberMs: 600_000,
          nestError: (refusal) => new HttpException(refusal.body, refusal.status),
        }),
      );
    });

    afterEach(async () => {
      await program.stop();
    });

    async function get(path: string, caller?: SignedUp): Promise<{ status: number; body: OrdersAnswer }> {
      const client = new Client(program.url);
      return await (caller === undefined ? client : client.as(caller.accessToken)).get<OrdersAnswer>(path);
    }

    it('admits and refuses as the role says, and asks nothing about the token itself', async () => {
      expect(await get('/orders', owner)).toMatchObject({
        status: 200,
        body: { caller: { userId: owner.userId } },
      });
      expect(await get('/orders', reader)).toMatchObject({
        status: 200,
        body: { caller: { userId: reader.userId } },
      });
      expect((await get('/orders', stranger)).status).toBe(403);
      // The keys once for all callers, and what each may do once.
      expect(asked).toEqual([KEYS, CHECK, CHECK, CHECK]);
      for (const caller of [owner, reader, stranger]) await get('/orders', caller);
      expect(asked).toHaveLength(4);
    });

    it('refuses without asking who shows no token, or a wrong one', async () => {
      const [header = '', claims = ''] = owner.accessToken.split('.');
      const forged = { ...owner, accessToken: `${header}.${claims}.${'A'.repeat(342)}` };
      const [nobody, forger] = [await get('/orders'), await get('/orders', forged)];
      expect([nobody.status, forger.status, (await get('/me')).status]).toEqual([401, 401, 401]);
      expect(asked.filter((path) => path !== KEYS)).toEqual([]);
      expect(nobody.body).toMatchObject({ error: { code: 'unauthenticated', status: 401 } });
    });

    it('refuses two Authorization headers, which could name two callers', async () => {
      const statusOf = async (...tokens: string[]): Promise<number> => {
        const headers = tokens.map((token) => `Authorization: Bearer ${token}`);
        return (await sendRaw(program.url, rawRequest('GET', '/me', headers))).status;
      };
      expect(await statusOf(owner.accessToken)).toBe(200);
      expect(await statusOf(owner.accessToken, stranger.accessToken)).toBe(401);
      expect(await statusOf(owner.accessToken, owner.accessToken)).toBe(401);
    });

    it('knows a user by the token alone', async () => {
      expect(await get('/me', stranger)).toMatchObject({
        status: 200,
        body: { caller: { type: 'user', userId: stranger.userId, email: stranger.email } },
      });
      expect(asked).toEqual([KEYS]);
    });
  });

  it.each([
    ['Express', withExpress],
    ['Fastify', withFastify],
  ])('challenges in %s who shows no token, or a wrong one', async (_framework, start) => {
    const program = await start(verifierOf());
    const anonymous = new Client(program.url);
    const challengeTo = async (client: Client): Promise<string | null> =>
      (await client.get('/orders')).headers.get('www-authenticate');
    expect(await challengeTo(anonymous)).toBe('Bearer realm="service"');
    expect(await challengeTo(anonymous.as('x'))).toBe('Bearer realm="service", error="invalid_token"');
    await program.stop();
  });

  it('is answered by Nest with the status of its refusal, also without an error of Nest', async () => {
    const program = await withNest(verifierOf());
    const { status, body } = await new Client(program.url).get<OrdersAnswer>('/orders');
    expect([status, body]).toEqual([
      401,
      { statusCode: 401, message: 'The request carries no credentials.' },
    ]);
    await program.stop();
  });

  it('admits an API key as far as its permissions reach', async () => {
    const { key } = await makeKey(owner.client, owner.slug, ['data:orders:read']);
    const verifier = verifierOf();
    expect(await verifier.requirePermission({ 'x-api-key': key }, PERMISSION)).toMatchObject({
      type: 'key',
      credential: key,
    });
    await expect(verifier.requirePermission({ 'x-api-key': key }, 'data:orders:write')).rejects.toMatchObject(
      {
        code: 'permission_denied',
        statusCode: 403,
      },
    );
    await expect(verifier.requireUser({ 'x-api-key': key })).rejects.toMatchObject({ statusCode: 401 });
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    await expect(verifier.requirePermission({ 'x-api-key': wrong }, PERMISSION)).rejects.toMatchObject({
      code: 'invalid_api_key',
      statusCode: 401,
    });
  });

  it.each([
    ['a permission', (headers: HeaderBag) => verifierOf().requirePermission(headers, PERMISSION)],
    ['a user', (headers: HeaderBag) => verifierOf().requireUser(headers)],
  ])('takes no access token for an API key where it requires %s', async (_what, required) => {
    const headers = { 'x-service-org': owner.slug };
    await expect(
      required({ ...headers, authorization: `Bearer ${owner.accessToken}` }),
    ).resolves.toMatchObject({ type: 'user', userId: owner.userId });
    await expect(required({ ...headers, 'x-api-key': owner.accessToken })).rejects.toMatchObject({
      statusCode: 401,
    });
  });

  it('acts in the organization that the request names', async () => {
    const guest = await signUp(service.url);
    const headers = { authorization: `Bearer ${guest.accessToken}`, 'x-service-org': owner.slug };
    await expect(verifierOf().requirePermission(headers, PERMISSION)).rejects.toMatchObject({
      code: 'not_a_member',
      statusCode: 403,
    });
    const ownHeaders = { authorization: `Bearer ${owner.accessToken}`, 'x-service-org': owner.slug };
    expect(await verifierOf().requirePermission(ownHeaders, PERMISSION)).toMatchObject({ org: owner.slug });
  });

  it('asks once for what many want to know at once, and forgets it in time', async () => {
    const verifier = verifierOf({ rememberMs: 5_000 });
    const headers = { authorization: `Bearer ${owner.accessToken}` };
    await verifier.requireUser(headers);
    const lasting = verifierOf();
    await lasting.requireUser(headers);
    asked = [];
    await Promise.all(Array.from({ length: 20 }, () => lasting.requirePermission(headers, PERMISSION)));
    expect(asked).toEqual([CHECK]);
    await verifier.requirePermission(headers, PERMISSION);
    const clock = clockAhead(5_000);
    await verifier.requirePermission(headers, PERMISSION);
    clock.mockRestore();
    expect(asked).toEqual([CHECK, CHECK, CHECK]);
  });

  it('refuses tokens of another issuer or audience', async () => {
    for (const options of [{ issuer: 'another' }, { audience: 'another' }])
      await expect(verifierOf(options).verifyAccessToken(owner.accessToken)).rejects.toMatchObject({
        code: 'invalid_access_token',
      });
  });

  it('admits no one while the service cannot be reached, but verifies with the keys that it has', async () => {
    let isUp = true;
    const verifier = verifierOf({
      keysMaxAgeMs: 1,
      fetch: (url, init) => (isUp ? fetch(url, init) : Promise.reject(new TypeError('fetch failed'))),
    });
    const headers = { authorization: `Bearer ${reader.accessToken}` };
    await expect(verifier.requireUser(headers)).resolves.toMatchObject({ userId: reader.userId });
    isUp = false;
    await expect(verifier.requireUser(headers)).resolves.toMatchObject({ userId: reader.userId });
    await expect(verifier.requirePermission(headers, PERMISSION)).rejects.toMatchObject({ statusCode: 503 });
    await expect(
      verifierOf({ fetch: () => Promise.reject(new TypeError('fetch failed')) }).requireUser(headers),
    ).rejects.toMatchObject({ statusCode: 503 });
    isUp = true;
    await expect(verifier.requirePermission(headers, PERMISSION)).resolves.toMatchObject({ type: 'user' });
  });

  it('fetches unknown keys only once in a while, even if clients make them up', async () => {
    const verifier = verifierOf();
    await verifier.verifyAccessToken(owner.accessToken);
    const header = Buffer.from('{"alg":"RS256","typ":"at+jwt","kid":"made-up"}').toString('base64url');
    const [, claims = '', signature = ''] = owner.accessToken.split('.');
    for (let nth = 0; nth < 5; nth += 1)
      await expect(verifier.verifyAccessToken(`${header}.${claims}.${signature}`)).rejects.toMatchObject({
        statusCode: 401,
      });
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  it('asks no more often for keys while they cannot be had, and lets in by those that it has', async () => {
    let [isUp, attempts] = [true, 0];
    const verifier = verifierOf({
      keysMaxAgeMs: 1,
      cooldownMs: 60_000,
      fetch: async (url, init) => {
        attempts += 1;
        return isUp ? await fetch(url, init) : await Promise.reject(new TypeError('fetch failed'));
      },
    });
    await verifier.verifyAccessToken(owner.accessToken);
    const clock = clockAhead(2);
    [isUp, attempts] = [false, 0];
    const [, claims = '', signature = ''] = owner.accessToken.split('.');
    for (let nth = 0; nth < 5; nth += 1) {
      const header = Buffer.from(`{"alg":"RS256","typ":"at+jwt","kid":"${nth}"}`).toString('base64url');
      await expect(verifier.verifyAccessToken(owner.accessToken)).resolves.toMatchObject({ type: 'user' });
      await expect(verifier.verifyAccessToken(`${header}.${claims}.${signature}`)).rejects.toMatchObject({
        statusCode: 401,
      });
    }
    clock.mockRestore();
    expect(attempts).toBe(1);
  });

  it.each([
    ['an address where it is not', 404],
    ['a page that is no answer of its', 200],
  ])('answers 503 for %s', async (_case, status) => {
    const verifier = verifierOf({
      fetch: async (url, init) =>
        url.endsWith(CHECK)
          ? new Response('<h1>Welcome</h1>', { status, headers: { 'content-type': 'text/html' } })
          : await fetch(url, init),
    });
    const headers = { authorization: `Bearer ${reader.accessToken}` };
    await expect(verifier.requirePermission(headers, PERMISSION)).rejects.toMatchObject({ statusCode: 503 });
  });

  it('guards by whole permissions only', () => {
    for (const permission of ['data:*:read', 'data:orders', '*', ''])
      expect(() => verifierOf().express.requirePermission(permission)).toThrow(TypeError);
  });
});
