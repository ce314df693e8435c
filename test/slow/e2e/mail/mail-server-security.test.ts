import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { MailServer } from '../../../support/mail-server.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

const USER = 'service';
const PASSWORD = 'mail server password';

let environment: TestEnvironment;
let folder: string;
let certificate: { key: Buffer; cert: Buffer };

beforeAll(async () => {
  environment = await createEnvironment();
  folder = await mkdtemp(join(tmpdir(), 'service-mail-'));
  await promisify(execFile)(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', 'key.pem', '-out', 'cert.pem'],
    ],
    { cwd: folder },
  );
  certificate = {
    key: await readFile(join(folder, 'key.pem')),
    cert: await readFile(join(folder, 'cert.pem')),
  };
});

afterAll(async () => {
  await environment.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function startWith(mailServer: MailServer, tls: string): Promise<ServiceProcess> {
  return await ServiceProcess.start({
    ...environment.variables,
    ...mailServer.variables,
    SERVICE_IDENTITY__SMTP__HOST: 'localhost',
    SERVICE_IDENTITY__SMTP__TLS: tls,
    SERVICE_IDENTITY__SMTP__USER: USER,
    SERVICE_IDENTITY__SMTP__PASSWORD: PASSWORD,
    SERVICE_IDENTITY__PUBLIC_URL: 'https://id.example.com/base/',
    SERVICE_LOG__LEVEL: 'debug',
    NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
  });
}

test.each(['starttls', 'tls'])(
  'with tls = "%s" mail goes out encrypted, signed in, with links under public_url, and the log holds no link',
  async (tls) => {
    const mailServer = await MailServer.start({
      ...certificate,
      secure: tls === 'tls',
      authOptional: false,
      disabledCommands: [],
      onAuth: ({ username, password }, _session, done) => {
        if (username === USER && password === PASSWORD) done(null, { user: USER });
        else done(new Error('wrong'));
      },
    });
    const service = await startWith(mailServer, tls);
    try {
      const ada = await signUp(service.url ?? '');
      const mail = await mailServer.mailTo(ada.email);
      expect(mail).toMatchObject({ isSecure: true, user: USER });
      const link = /^https:\/\/id\.example\.com\/base\/auth\/v1\/pages\/verify\?token=(\S+)$/m.exec(
        mail.email.text ?? '',
      );
      expect(link).not.toBeNull();
      expect(service.log).not.toContain(link?.[1]);
      expect(service.log).not.toContain(PASSWORD);
    } finally {
      await service.stop();
      await mailServer.down();
    }
  },
  60_000,
);

test('with tls = "starttls" nothing is sent to a server that does not offer it', async () => {
  const mailServer = await MailServer.start();
  const service = await startWith(mailServer, 'starttls');
  try {
    await signUp(service.url ?? '');
    await until(
      () => service.log.includes('could not be sent'),
      15_000,
      () => service.log,
    );
    expect(mailServer.connections).toBeGreaterThan(0);
    expect(mailServer.received).toEqual([]);
  } finally {
    await service.stop();
    await mailServer.down();
  }
});
