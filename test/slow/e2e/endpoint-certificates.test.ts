import { createServer } from 'node:https';
import type { Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signUpOwner } from '../../support/client.js';
import type { Client } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { endedRun, trigger } from '../../support/runs.js';
import { ServiceProcess } from '../../support/service-process.js';
import { CertificateAuthority } from '../support/certificates.js';
import type { Certificate } from '../support/certificates.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

describe('an endpoint over TLS', () => {
  let environment: TestEnvironment;
  let authority: CertificateAuthority;
  let service: ServiceProcess;
  let client: Client;
  const bodies: unknown[] = [];

  beforeAll(async () => {
    [environment, authority] = await Promise.all([createEnvironment(), CertificateAuthority.create()]);
    service = await ServiceProcess.start({
      ...environment.variables,
      SERVICE_JOBS__PRIVATE_ENDPOINTS: 'true',
      NODE_EXTRA_CA_CERTS: authority.file,
    });
    ({ client } = await signUpOwner(service.url ?? ''));
    await client.send('PUT', '/vault/v1/secrets/endpoint', { value: SECRET });
  });

  afterAll(async () => {
    await service.stop();
    await authority.dispose();
    await environment.dispose();
  });

  async function sentTo(certificate: Certificate): ReturnType<typeof endedRun> {
    const server: Server = createServer({ ...certificate }, (request, response) => {
      void text(request).then((body) => {
        bodies.push(new Webhook(SECRET).verify(body, request.headers as Record<string, string>));
        response.end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const handler = `https://localhost:${(server.address() as AddressInfo).port}/hook`;
    try {
      const job = { id: 'tls', name: 'TLS', handler, signing_secret: 'vault:endpoint' };
      expect((await client.post('/jobs/v1/jobs', { jobs: [job] })).status).toBe(200);
      return await endedRun(client, (await trigger(client, 'tls', { payload: { over: 'TLS' } })).id);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('gets its webhook under a certificate for its name', async () => {
    expect((await sentTo(await authority.issue('localhost'))).status).toBe('completed');
    expect(bodies).toEqual([{ over: 'TLS' }]);
  });

  it.each([
    [
      'for another name',
      () => authority.issue('hooks.example.com'),
      'the certificate is for another host name',
    ],
    [
      'of nobody that is known',
      () => authority.selfSigned('itself', '/CN=localhost'),
      'the certificate is self-signed',
    ],
    ['that has expired', () => authority.issue('localhost', -1), 'the certificate has expired'],
  ])('gets nothing under a certificate %s, and the run says so', async (_which, certificate, says) => {
    const before = bodies.length;
    expect(await sentTo(await certificate())).toMatchObject({
      status: 'failed',
      error: { code: 'handler_unreachable', message: expect.stringContaining(says) },
    });
    expect(bodies).toHaveLength(before);
  });
});
