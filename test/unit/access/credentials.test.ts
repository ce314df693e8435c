import { presentedCredential } from '../../../src/access/credentials/presented-credential.js';
import { isConcretePermission } from '../../../src/rbac/index.js';
import { identityHeaders } from '../../../src/access/credentials/identity-headers.js';
import type { Caller, Tenant, TenantId } from '../../../src/http/index.js';

describe('what a request presents', () => {
  it('is nothing without a header', () => {
    expect(presentedCredential({})).toBeNull();
  });

  it.each([
    ['X-API-Key', { 'x-api-key': 'svc_a' }, 'svc_a'],
    ['a bearer token', { authorization: 'Bearer svc_a' }, 'svc_a'],
    ['a bearer token with more behind it', { authorization: 'bearer  svc_a b' }, 'svc_a b'],
    ['an empty X-API-Key', { 'x-api-key': '' }, ''],
  ])('is an API key in %s', (_, headers, key) => {
    expect(presentedCredential(headers)).toEqual({ type: 'api_key', key });
  });

  it.each(['Bearer eyJ.e.y', 'Basic c3ZjXw==', 'svc_a', ''])(
    'is no API key in Authorization: %s',
    (value) => {
      expect(presentedCredential({ authorization: value })).toEqual({ type: 'access_token' });
    },
  );

  it('is refused in both headers, equal or not', () => {
    for (const authorization of ['Bearer svc_a', 'Bearer eyJ.e.y', '']) {
      expect(() => presentedCredential({ authorization, 'x-api-key': 'svc_a' })).toThrow('both sent');
    }
  });
});

describe('a concrete permission', () => {
  it.each(['data:orders:read', 'a:b:c', 'data:public.orders:read_all', 'A-1:b.2:c_3'])('is %s', (text) => {
    expect(isConcretePermission(text)).toBe(true);
  });

  it.each(['*', 'data:*:read', 'data:orders', 'a:b:c:d', 'a::c', '', 'a:b:c\n', 'a:b:c\r\nX: y', 'a b:c:d'])(
    'is not %j',
    (text) => {
      expect(isConcretePermission(text)).toBe(false);
    },
  );

  it.each([undefined, null, 7, ['a:b:c']])('is not %p', (value) => {
    expect(isConcretePermission(value)).toBe(false);
  });
});

describe('identity headers', () => {
  const user: Caller = { type: 'user', userId: 'u', sessionId: 's', email: 'e@example.com' };
  const tenant: Tenant = {
    id: 'o' as TenantId,
    slug: 'o',
    name: 'O',
    role: 'owner',
    permissions: [],
    reach: 'all',
  };

  it('name a user by id and role, a key by its id', () => {
    expect(identityHeaders(user, tenant)).toEqual({
      'X-Service-User-Id': 'u',
      'X-Service-Role': 'owner',
      'X-Service-Org-Id': 'o',
    });
    const key: Caller = { type: 'api_key', keyId: 'k', orgId: 'o', permissions: [] };
    expect(identityHeaders(key, { ...tenant, role: null })).toEqual({
      'X-Service-Key-Id': 'k',
      'X-Service-Org-Id': 'o',
    });
  });

  it.each(['a\r\nX-Service-User-Id: other', 'a\nb', 'a\0b', 'a b', '', 'ä'])(
    'refuse a value that could break out: %j',
    (role) => {
      expect(() => identityHeaders(user, { ...tenant, role })).toThrow('cannot be a header');
    },
  );
});
