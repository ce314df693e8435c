import { CertificateAuthority } from '../../support/certificates.js';
import type { Certificate } from '../../support/certificates.js';
import { ConfigurablePostgres } from '../../support/configurable-postgres.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';

let environment: TestEnvironment;
let postgres: ConfigurablePostgres;
let authority: CertificateAuthority;

beforeAll(async () => {
  environment = await createEnvironment();
  postgres = await ConfigurablePostgres.start();
  authority = await CertificateAuthority.create();
});

afterAll(async () => {
  await authority.dispose();
  await postgres.dispose();
  await environment.dispose();
});

function variablesWith(trusted: boolean): Record<string, string> {
  const url = new URL(postgres.url);
  url.hostname = 'localhost';
  url.search = '?sslmode=verify-full';
  return {
    ...environment.variables,
    SERVICE_DATABASE__URL: url.toString(),
    ...(trusted ? { NODE_EXTRA_CA_CERTS: authority.file } : {}),
  };
}

const FAULTS: [string, { trusted: boolean; certificate: () => Promise<Certificate>; says: string }][] = [
  [
    'that has expired',
    {
      trusted: true,
      certificate: () => authority.issue('localhost', -1),
      says: 'the certificate has expired; renew it on the server',
    },
  ],
  [
    'that signs itself',
    {
      trusted: false,
      certificate: () => authority.selfSigned('itself', '/CN=localhost'),
      says: 'the certificate is self-signed; use one of a known authority, or trust it with NODE_EXTRA_CA_CERTS',
    },
  ],
  [
    'for another host name',
    {
      trusted: true,
      certificate: () => authority.issue('db.example.com'),
      says: 'the certificate is for another host name; connect by a name that the certificate carries',
    },
  ],
  [
    'of an authority that is not known',
    {
      trusted: false,
      certificate: () => authority.issue('localhost'),
      says: 'or trust the issuer with NODE_EXTRA_CA_CERTS',
    },
  ],
];

describe('a start on a PostgreSQL with a certificate', () => {
  it.each(FAULTS)('%s says what is wrong with it, and exits 78', async (_title, fault) => {
    await postgres.setCertificate(await fault.certificate());
    const service = ServiceProcess.spawn(variablesWith(fault.trusted));
    expect(await service.exit()).toBe(78);
    expect(service.log).toMatch(
      /^The program cannot start: PostgreSQL at localhost:\d+ cannot be trusted: the /m,
    );
    expect(service.log).toContain(fault.says);
    expect(service.log).not.toMatch(/^\s+at /m);
  });

  it('of an authority in NODE_EXTRA_CA_CERTS is accepted', async () => {
    await postgres.setCertificate(await authority.issue('localhost'));
    const service = await ServiceProcess.start(variablesWith(true));
    expect(await service.stop()).toBe(0);
  });
});
