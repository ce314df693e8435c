import { concerns } from '../../../src/access/revalidation/access-watch.js';
import { permits } from '../../../src/access/permissions/permits.js';
import type { Change } from '../../../src/cache-invalidation/index.js';
import { opensToRuns } from '../../../src/http/index.js';
import type { Caller, Tenant, TenantId } from '../../../src/http/index.js';

const USER: Caller = { type: 'user', userId: 'u', sessionId: 's', email: 'u@example.com' };
const KEY: Caller = { type: 'api_key', keyId: 'k', orgId: 't', permissions: ['*'] };
const SERVICE: Caller = {
  type: 'project_key',
  keyId: 'j',
  role: 'service_role',
  projectId: 't' as TenantId,
  ref: 'ref',
};
const RUN: Caller = { type: 'run', runId: 'r', attempt: 1, tenantId: 't', permissions: ['*'], userId: null };
const CALLERS = { user: USER, api_key: KEY, project_key: SERVICE, run: RUN };

describe('a change', () => {
  it.each<[Change, (keyof typeof CALLERS)[]]>([
    [{ kind: 'user', id: 'u' }, ['user']],
    [{ kind: 'user', id: '*' }, ['user']],
    [{ kind: 'user', id: 'another' }, []],
    [{ kind: 'membership', id: 'u' }, ['user']],
    [{ kind: 'membership', id: 't' }, ['user']],
    [{ kind: 'membership', id: 'another' }, []],
    [{ kind: 'api_key', id: 'k' }, ['api_key']],
    [{ kind: 'api_key', id: '*' }, ['api_key']],
    [{ kind: 'organization', id: 't' }, ['user', 'api_key', 'project_key', 'run']],
    [{ kind: 'organization', id: 'another' }, []],
    [{ kind: 'project', id: 't' }, ['user', 'api_key', 'project_key', 'run']],
    [{ kind: 'run_taken', id: 'r' }, ['run']],
    [{ kind: 'signing_keys', id: '*' }, ['user', 'run']],
    [{ kind: 'signing_secret', id: 't' }, []],
  ])('%j may end the access of %j', (change, expected) => {
    const concerned = Object.entries(CALLERS).filter(([, caller]) =>
      concerns(change, { caller, tenantId: 't' }),
    );
    expect(concerned.map(([name]) => name)).toEqual(expected);
  });
});

describe('the token of a run', () => {
  it.each([
    ['GET', '/auth/v1/orgs/:org/members', undefined, true],
    ['HEAD', '/auth/v1/orgs/:org/members', undefined, true],
    ['POST', '/auth/v1/orgs/:org/roles', undefined, false],
    ['PUT', '/auth/v1/mail', undefined, false],
    ['delete', '/auth/v1', undefined, false],
    ['PROPPATCH', '/auth/v1/anything', undefined, false],
    ['POST', '/auth/v1/permissions/check', 'open', true],
    ['POST', '/jobs/v1/jobs', undefined, true],
    ['POST', '/auth/v10', undefined, true],
    ['GET', '/jobs/v1/signing-secret', 'closed', false],
  ] as const)('at %s %s, declared %s, is let in: %s', (method, path, declared, expected) => {
    expect(opensToRuns(method, path, declared)).toBe(expected);
  });

  it.each([
    ['auth:members:read', true],
    ['auth:members:update', false],
    ['auth:keys:create', false],
    ['data:auth:update', true],
    ['jobs:secrets:write', true],
  ])('may do %s: %s', (wanted, expected) => {
    const tenant: Tenant = {
      id: 't' as TenantId,
      slug: 't',
      name: 'T',
      role: null,
      permissions: ['*'],
      reach: 'all',
    };
    expect(permits(RUN, tenant, wanted)).toBe(expected);
    expect(permits(KEY, tenant, wanted)).toBe(true);
  });
});
