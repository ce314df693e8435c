import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';

const PROGRAM = fileURLToPath(new URL('services-program.mjs', import.meta.url));

describe('the services of organizations, called from inside', () => {
  let environment: TestEnvironment;
  let results: Record<string, unknown>;

  beforeAll(async () => {
    environment = await createEnvironment();
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], {
      env: { PATH: process.env.PATH, SERVICE_LOG__LEVEL: 'fatal', ...environment.variables },
    });
    results = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
  });

  afterAll(async () => {
    await environment.dispose();
  });

  it('describe an invitation to a page, and nothing for an invalid token', () => {
    expect(results).toMatchObject({
      describeNew: { orgName: 'Acme', email: 'new@example.com', role: 'member', needs: 'password' },
      describeKnown: { orgName: 'Acme', email: 'user@example.com', role: 'admin', needs: 'sign_in' },
      describeUnknown: null,
      describeUsed: null,
    });
  });

  it('accept with the password of a new account or of the one that there is', () => {
    expect(results).toMatchObject({
      shortPassword: 'validation_failed',
      made: ['new@example.com', false, true],
      wrongPassword: 'invalid_credentials',
      entered: [true, null],
    });
  });

  it('let an API key do as much as its row allows now, whatever the request claims', () => {
    expect(results).toMatchObject({
      keyDemotes: 'permission_not_held',
      keyPromotes: 'permission_not_held',
      keyInvitesHigher: 'permission_not_held',
      keyInvites: ['api_key', 'key', 'pending'],
      keyCannotAccept: 'user_required',
      revokedKeyInvites: 'invalid_api_key',
      revokedKeysInvitation: 'invitation_void',
    });
  });

  it('take a departing account out of its organizations, unless it is the last owner of one', () => {
    expect(results).toMatchObject({
      lastOwnerDeparts: 'last_owner',
      adminDeparts: 'done',
      rolesLeft: ['member', 'owner'],
    });
  });
});
