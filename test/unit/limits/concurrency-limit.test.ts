import { ConcurrencyLimit } from '../../../src/limits/index.js';
import type { Permit } from '../../../src/limits/index.js';

function limitOf(perTenant: number): ConcurrencyLimit {
  return new ConcurrencyLimit({ setting: 'log_followers', perTenant, perInstance: 500 });
}

/** Acquires permits until there is none. */
function takeAll(limit: ConcurrencyLimit, tenant: string, caller: string): Permit[] {
  const permits: Permit[] = [];
  try {
    for (;;) permits.push(limit.acquire(tenant, caller));
  } catch {
    return permits;
  }
}

describe('the permits of a concurrency limit', () => {
  it('give one caller at most half of the tenant’s limit, and leave the rest to other callers of the tenant', () => {
    const limit = limitOf(10);
    const permits = takeAll(limit, 'a', 'user:1');
    expect(permits.length).toBe(5);
    expect(takeAll(limit, 'a', 'api_key:1').length).toBe(5);
    expect(takeAll(limit, 'a', 'user:2').length).toBe(0);
    expect(takeAll(limit, 'b', 'user:2').length).toBe(5);
    // A permit that is released twice is one permit.
    permits[0]?.release();
    permits[0]?.release();
    expect(takeAll(limit, 'a', 'user:2').length).toBe(1);
  });

  it('give one caller a permit if the tenant may have only one', () => {
    expect(takeAll(limitOf(1), 'a', 'user:1').length).toBe(1);
  });

  it('are limited to 500 at an instance if tenants have no limit', () => {
    const limit = limitOf(0);
    expect(takeAll(limit, 'a', 'user:1').length).toBe(500);
    expect(takeAll(limit, 'b', 'user:1').length).toBe(0);
  });

  it('refuse with 429 what the tenant itself has used up, and with 503 what all tenants have', () => {
    const refusalOf = (limit: ConcurrencyLimit): unknown => {
      try {
        return limit.acquire('a', 'user:1');
      } catch (error) {
        return error;
      }
    };
    const own = limitOf(1);
    own.acquire('a', 'user:1');
    expect(refusalOf(own)).toMatchObject({ status: 429, headers: { 'Retry-After': '5' } });
    const full = limitOf(0);
    takeAll(full, 'b', 'user:2');
    expect(refusalOf(full)).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  });
});
