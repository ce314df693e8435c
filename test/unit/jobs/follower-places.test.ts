import { FollowerPlaces } from '../../../src/jobs/logs/follower-places.js';
import type { FollowerPlace } from '../../../src/jobs/logs/follower-places.js';
import type { TenantId } from '../../../src/http/index.js';

/** Takes places until there is none. */
function takeAll(places: FollowerPlaces, tenant: string, caller: string): FollowerPlace[] {
  const taken: FollowerPlace[] = [];
  try {
    for (;;) taken.push(places.take(tenant as TenantId, caller));
  } catch {
    return taken;
  }
}

describe('places for followers of logs', () => {
  it('give one caller at most half of the tenant’s places, and leave the rest to other callers of the tenant', () => {
    const places = new FollowerPlaces(10);
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
    expect(takeAll(new FollowerPlaces(1), 'a', 'user:1').length).toBe(1);
  });

  it('are limited to 500 at an instance if tenants have no limit', () => {
    const places = new FollowerPlaces(0);
    expect(takeAll(places, 'a', 'user:1').length).toBe(500);
    expect(takeAll(places, 'b', 'user:1').length).toBe(0);
  });
});
