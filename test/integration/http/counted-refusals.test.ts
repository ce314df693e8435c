import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { Followed } from '../../slow/e2e/logs/followed.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { fetch } from '../../support/fetch.js';
import { HandlerServer } from '../../support/handler-server.js';
import { MailServer } from '../../support/mail-server.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { registerJobs, trigger } from '../../support/runs.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { until } from '../../support/until.js';

const WEAK = 'password123';

describe('service_refusals_total counts', () => {
  let environment: TestEnvironment;
  let mailServer: MailServer;
  let handlers: HandlerServer;
  let service: ServiceInProcess;
  let owner: Awaited<ReturnType<typeof signUpOwner>>;
  let anonymous: Client;

  beforeAll(async () => {
    [environment, mailServer, handlers] = await Promise.all([
      createEnvironment(),
      MailServer.start(),
      HandlerServer.start(),
    ]);
    handlers.on('held', () => undefined);
    await start({});
    owner = await signUpOwner(service.url);
    await environment.database.query('UPDATE users SET email_verified = true WHERE id = $1', [owner.userId]);
  });

  afterAll(async () => {
    await service.stop();
    await mailServer.down();
    await handlers.stop();
    await environment.dispose();
  });

  async function start(settings: Record<string, string>): Promise<void> {
    service = await ServiceInProcess.start({
      ...environment.variables,
      ...handlers.variables,
      SERVICE_SERVER__ALLOWED_HOSTS: 'localhost,127.0.0.1',
      SERVICE_LIMITS__ROLES: '3',
      SERVICE_LIMITS__LOG_FOLLOWERS: '1',
      SERVICE_LIMITS__SIGN_IN_FAILURES_PER_ACCOUNT: '1',
      ...settings,
    });
    anonymous = new Client(service.url);
  }

  /** The same deployment with other settings. */
  async function restart(settings: Record<string, string>): Promise<void> {
    await service.stop();
    await start(settings);
    owner = { ...owner, client: owner.client.at(service.url) };
  }

  async function counted(code: string): Promise<number> {
    const { body } = await anonymous.get<string>('/metrics');
    const [, count] = new RegExp(`^service_refusals_total\\{code="${code}"\\} (\\d+)$`, 'm').exec(body) ?? [];
    if (count === undefined) throw new Error(`${code} is not among the metrics`);
    return Number(count);
  }

  /** Expects the act to be refused once with this status, and counted once under this code. */
  async function expectCounted(
    code: string,
    status: number,
    act: () => Promise<{ readonly status: number }>,
  ): Promise<void> {
    const before = await counted(code);
    expect([code, (await act()).status]).toEqual([code, status]);
    expect([code, await counted(code)]).toEqual([code, before + 1]);
  }

  async function invitationFor(email: string): Promise<string> {
    const { body } = await owner.client.post<{ link: string }>(`/auth/v1/orgs/${owner.orgId}/invitations`, {
      email,
      role: 'member',
    });
    return new URL(body.link).searchParams.get('token') ?? '';
  }

  async function submit(token: string, password: string): Promise<Response> {
    const body = new URLSearchParams({ token, password, repeat: password });
    return await fetch(`${service.url}/auth/v1/pages/invitation`, { method: 'POST', body });
  }

  const freshAddress = (): string => `${randomBytes(6).toString('hex')}@example.com`;

  it('limits, sizes and policies that an endpoint refuses', async () => {
    const { client, orgId } = owner;
    await expectCounted('limit_reached', 403, () =>
      client.post(`/auth/v1/orgs/${orgId}/roles`, { name: 'one-more', permissions: [] }),
    );
    await expectCounted('payload_too_large', 413, () =>
      client.post('/auth/v1/orgs', { name: 'x'.repeat(70_000) }),
    );
    await expectCounted('weak_password', 400, () =>
      anonymous.post('/auth/v1/signup', { email: freshAddress(), password: WEAK }),
    );
    await expectCounted('misdirected_request', 421, () =>
      sendRaw(service.url, 'GET /openapi.json HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
    );
    const wrong = (): Promise<Answer> =>
      anonymous.post('/auth/v1/token?grant_type=password', {
        email: owner.email,
        password: 'wrong password',
      });
    await wrong();
    await expectCounted('rate_limited', 429, wrong);
    const followed = await Followed.open(client, '/jobs/v1/logs?follow=true');
    await expectCounted('rate_limited', 429, () => client.get('/jobs/v1/logs?follow=true'));
    followed.drop();
  });

  it('what a run may not do', async () => {
    await registerJobs(owner.client, { held: {} });
    const { id } = await trigger(owner.client, 'held');
    await until(() => handlers.callsOf(id).length === 1);
    const { authorization = '' } = handlers.callsOf(id)[0]?.headers ?? {};
    await expectCounted('run_token_not_allowed', 403, () =>
      anonymous.with({ authorization }).send('PATCH', `/auth/v1/orgs/${owner.orgId}`, { name: 'Mine' }),
    );
    expect((await owner.client.post(`/jobs/v1/runs/${id}/cancel`)).status).toBe(200);
  });

  it('what pages refuse', async () => {
    const token = await invitationFor(freshAddress());
    await expectCounted('weak_password', 400, () => submit(token, WEAK));
    const other = await signUp(service.url);
    const invited = await invitationFor(other.email);
    await submit(invited, 'wrong password');
    await expectCounted('rate_limited', 429, () => submit(invited, 'wrong password'));
  });

  it('requests that never reach an endpoint', async () => {
    const long = 'x'.repeat(5000);
    await expectCounted('uri_too_long', 414, () =>
      sendRaw(service.url, rawRequest('GET', `/jobs/v1/jobs/${long}`)),
    );
    await expectCounted('headers_too_large', 431, () =>
      sendRaw(service.url, rawRequest('GET', '/health', [`x: ${'x'.repeat(100_000)}`])),
    );
    await expectCounted('payload_too_large', 413, () =>
      sendRaw(
        service.url,
        Buffer.concat([
          rawRequest('POST', '/auth/v1/signup', [
            'Content-Type: application/json',
            'Transfer-Encoding: chunked',
          ]),
          Buffer.from(`1;${'x'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`),
        ]),
      ),
    );
  });

  it('a request that does not arrive in time', async () => {
    const server = service.application.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
    const arrived = once(server, 'connection') as Promise<[Socket]>;
    const { hostname, port } = new URL(service.url);
    const client = connect(Number(port), hostname);
    client.write('POST /auth/v1/signup HTTP/1.1\r\n');
    const [socket] = await arrived;
    await expectCounted('request_timeout', 408, async () => {
      // As Node's server does it after a minute.
      const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      const answer = once(client, 'data').then(([data]) => String(data));
      server.emit('clientError', late, socket);
      return { status: Number((await answer).split(' ')[1]) };
    });
    client.destroy();
  });

  it('sign-ups that are closed, where the page says so before it asks for a password', async () => {
    const token = await invitationFor(freshAddress());
    await restart({ SERVICE_IDENTITY__SIGN_UP: 'closed' });
    await expectCounted('sign_up_closed', 403, () =>
      anonymous.post('/auth/v1/signup', { email: freshAddress(), password: PASSWORD }),
    );
    let text = '';
    const noting = async (answer: Promise<Response>): Promise<Response> => {
      text = await (await answer).clone().text();
      return await answer;
    };
    const at = `${service.url}/auth/v1/pages/invitation?token=${token}`;
    for (const act of [() => fetch(at), () => submit(token, PASSWORD)]) {
      await expectCounted('sign_up_closed', 403, () => noting(act()));
      expect(text).toContain('Sign-up is closed');
      expect(text).toContain('ask the operator');
      expect(text).not.toContain('<form');
    }
  });

  it('accounts whose address is not proven', async () => {
    await restart({ ...mailServer.variables, SERVICE_IDENTITY__REQUIRE_VERIFIED_EMAIL: 'true' });
    const { client } = await signUp(service.url);
    await expectCounted('email_not_verified', 403, () => client.get('/auth/v1/orgs'));
  });
});
