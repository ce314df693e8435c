import bcryptjs from 'bcryptjs';
import { randomBytes } from 'node:crypto';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { importLines } from '../../support/imports.js';
import { ServiceInProcess } from '../../support/service-in-process.js';
import { StandInHashes } from '../../../src/identity/guessing/stand-in-hashes.js';
import { DEPLOYMENT_REALM } from '../../../src/identity/index.js';
import type { RealmId } from '../../../src/identity/index.js';
import { parseImportedHash } from '../../../src/identity/passwords/imported/imported-hash.js';

const OPERATOR = 'the-operator-of-these-imports';
const OTHER_REALM = '00000000-0000-0000-0000-0000000000ff' as RealmId;

function addresses(count: number): string[] {
  return Array.from({ length: count }, () => `${randomBytes(6).toString('hex')}@example.com`);
}

describe('the hashes that stand in for those of addresses without an account', () => {
  let environment: TestEnvironment;
  let service: ServiceInProcess;
  let standIns: StandInHashes;

  beforeAll(async () => {
    environment = await createEnvironment();
    service = await ServiceInProcess.start({ ...environment.variables, SERVICE_ADMIN__TOKEN: OPERATOR });
    standIns = service.application.get(StandInHashes);
  });

  afterAll(async () => {
    await service.stop();
    await environment.dispose();
  });

  const kindsOf = (emails: readonly string[], realmId = DEPLOYMENT_REALM): Map<string, number> => {
    const kinds = new Map<string, number>();
    for (const email of emails) {
      const hash = standIns.of({ realmId, email });
      const kind = hash === undefined ? 'own' : (parseImportedHash(hash)?.kind ?? 'unreadable');
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    return kinds;
  };

  it('are all of our own kind where nothing was imported', () => {
    expect(kindsOf(addresses(100))).toEqual(new Map([['own', 100]]));
  });

  it('are of the kinds that the accounts have, as often as these have them', async () => {
    const bcrypt = bcryptjs.hashSync(PASSWORD, 4);
    const scrypt = `$scrypt$ln=4,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const [own] = await Promise.all([signUp(service.url), signUp(service.url)]);
    const [migrated = '', ...imported] = addresses(8);
    const lines = [
      { email: migrated, password_hash: bcrypt },
      ...imported.map((email, index) => ({ email, password_hash: index < 5 ? bcrypt : scrypt })),
    ];
    await importLines(new Client(service.url).as(OPERATOR), '/admin/v1/users/import', lines);
    await standIns.runOnce();
    const strangers = addresses(4_000);
    const before = kindsOf(strangers);
    // Of ten accounts, six have bcrypt, two scrypt, two our own.
    for (const [kind, share] of [
      ['$2b$04', 0.6],
      ['$scrypt$ln=4,r=8,p=1', 0.2],
      ['own', 0.2],
    ] as const) {
      expect((before.get(kind) ?? 0) / strangers.length).toBeGreaterThan(share - 0.05);
      expect((before.get(kind) ?? 0) / strangers.length).toBeLessThan(share + 0.05);
    }
    expect(kindsOf(strangers)).toEqual(before);
    expect(kindsOf(strangers, OTHER_REALM)).toEqual(new Map([['own', strangers.length]]));

    // The first sign-in of one takes it out of the count.
    const path = '/auth/v1/token?grant_type=password';
    const client = new Client(service.url);
    expect((await client.post(path, { email: migrated, password: PASSWORD })).status).toBe(200);
    expect((await client.post(path, { email: own.email, password: PASSWORD })).status).toBe(200);
    await standIns.runOnce();
    expect((kindsOf(strangers).get('$2b$04') ?? 0) / strangers.length).toBeLessThan(0.55);
  });

  it('let nobody in', async () => {
    for (const email of addresses(10)) {
      const answer = await new Client(service.url).post('/auth/v1/token?grant_type=password', {
        email,
        password: PASSWORD,
      });
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'invalid_credentials' } } });
    }
  });
});
