import { ConcurrencyLimit } from '../../../src/limits/index.js';
import type { Place } from '../../../src/limits/index.js';

function placesOf(perTenant: number): ConcurrencyLimit {
  return new ConcurrencyLimit({ setting: 'log_followers', perTenant, perInstance: 500 });
}

/** Takes places until there is none. */
function takeAll(places: ConcurrencyLimit, tenant: string, caller: string): Place[] {
  const taken: Place[] = [];
  try {
    for (;;) taken.push(places.take(tenant, caller));
  } catch {
    return taken;
  }
}

describe('places of a limit on what is under way', () => {
  it('give one caller at most half of the tenant’s places, and leave the rest to other callers of the tenant', () => {
    const places = placesOf(10);
    const taken = takeAll(places, 'a', 'user:1');
    expect(taken.length).toBe(5);
    expect(takeAll(places, 'a', 'api_key:1').length).toBe(5);
    expect(takeAll(places, 'a', 'user:2').length).toBe(0);
    expect(takeAll(places, 'b', 'user:2').length).toBe(5);
    // A place that is left twice is one place.
    taken[0]?.release();
    taken[0]?.release();
    expect(takeAll(places, 'a', 'user:2').length).toBe(1);
  });

  it('give one caller a place if the tenant may have only one', () => {
    expect(takeAll(placesOf(1), 'a', 'user:1').length).toBe(1);
  });

  it('are limited to 500 at an instance if tenants have no limit', () => {
    const places = placesOf(0);
    expect(takeAll(places, 'a', 'user:1').length).toBe(500);
    expect(takeAll(places, 'b', 'user:1').length).toBe(0);
  });

  it('refuse with 429 what the tenant itself has used up, and with 503 what all tenants have', () => {
    const refusalOf = (places: ConcurrencyLimit): unknown => {
      try {
        return places.take('a', 'user:1');
      } catch (error) {
        return error;
      }
    };
    const own = placesOf(1);
    own.take('a', 'user:1');
    expect(refusalOf(own)).toMatchObject({ status: 429, headers: { 'Retry-After': '5' } });
    const full = placesOf(0);
    takeAll(full, 'b', 'user:2');
    expect(refusalOf(full)).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  });
});
