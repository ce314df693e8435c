import { CertificateAuthority } from '../../support/certificates.js';
import type { Certificate } from '../../support/certificates.js';
import { signUp } from '../../../support/client.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { MailServer } from '../../../support/mail-server.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { until } from '../../../support/until.js';

let environment: TestEnvironment;
let authority: CertificateAuthority;

beforeAll(async () => {
  environment = await createEnvironment();
  authority = await CertificateAuthority.create();
});

afterAll(async () => {
  await authority.dispose();
  await environment.dispose();
});

interface Fault {
  readonly title: string;
  readonly tls: 'starttls' | 'tls';
  readonly isTrusted: boolean;
  readonly certificate: () => Promise<Certificate>;
  readonly says: string;
}

const FAULTS: Fault[] = [
  {
    title: 'that has expired',
    tls: 'starttls',
    isTrusted: true,
    certificate: () => authority.issue('localhost', -1),
    says: 'the certificate has expired; renew it on the server',
  },
  {
    title: 'that signs itself',
    tls: 'tls',
    isTrusted: false,
    certificate: () => authority.selfSigned('itself', '/CN=localhost'),
    says: 'the certificate is self-signed; use one of a known authority, or trust it with NODE_EXTRA_CA_CERTS',
  },
  {
    title: 'for another host name',
    tls: 'starttls',
    isTrusted: true,
    certificate: () => authority.issue('mail.example.com'),
    says: 'the certificate is for another host name; connect by a name that the certificate carries',
  },
  {
    title: 'of an authority that is not known',
    tls: 'tls',
    isTrusted: false,
    certificate: () => authority.issue('localhost'),
    says: 'or trust the issuer with NODE_EXTRA_CA_CERTS',
  },
];

test.each(FAULTS)(
  'a mail to a server with a certificate $title stays, and the log says what is wrong with the certificate',
  async ({ tls, isTrusted, certificate, says }) => {
    const mailServer = await MailServer.start({
      ...(await certificate()),
      secure: tls === 'tls',
      disabledCommands: ['AUTH'],
    });
    const service = await ServiceProcess.start({
      ...environment.variables,
      ...mailServer.variables,
      SERVICE_IDENTITY__SMTP__HOST: 'localhost',
      SERVICE_IDENTITY__SMTP__TLS: tls,
      ...(isTrusted ? { NODE_EXTRA_CA_CERTS: authority.file } : {}),
    });
    try {
      await signUp(service.url ?? '');
      await until(
        () => service.log.includes('could not be sent'),
        15_000,
        () => service.log,
      );
      const line = service.log.split('\n').find((each) => each.includes('could not be sent'));
      expect(line).toContain('the mail server cannot be trusted: ');
      expect(line).toContain(says);
      expect(mailServer.received).toEqual([]);
    } finally {
      await service.stop();
      await mailServer.down();
    }
  },
  60_000,
);
