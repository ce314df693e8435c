import { Searches } from '../../../src/limits/index.js';
import { loadConfig } from '../../../src/platform/config/index.js';

function searchesWith(env: Record<string, string>): Searches {
  return new Searches(loadConfig({ env, cwd: '/' }));
}

/** Work that ends when it is told to. */
class Held {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  work(name: string): () => Promise<void> {
    return async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.ends.push(resolve));
    };
  }

  /** Ends the oldest, and lets what follows begin. */
  async endOne(): Promise<void> {
    this.ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('searches without an index', () => {
  it('have one connection of a small pool, which tenants get in turn', async () => {
    const searches = searchesWith({ SERVICE_DATABASE__POOL_SIZE: '4' });
    const held = new Held();
    const run = (tenant: string, name: string): Promise<void> =>
      searches.run({ tenant, caller: 'user:1' }, (step) => step(held.work(name)));
    const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1')];
    for (let ended = 0; ended <= all.length; ended += 1) await held.endOne();
    await Promise.all(all);
    expect(held.begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('are refused with 429 to the caller who has half of the places of a tenant, and to nobody else', async () => {
    const searches = searchesWith({ SERVICE_LIMITS__SEARCHES: '4' });
    const held = new Held();
    const run = (caller: string): Promise<void> =>
      searches.run({ tenant: 'a', caller }, (step) => step(held.work(caller)));
    const busy = [run('user:1'), run('user:1')];
    await expect(run('user:1')).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      hint: expect.stringContaining('limits.searches'),
    });
    const other = run('user:2');
    for (let ended = 0; ended < 3; ended += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await held.endOne();
    }
    await Promise.all([...busy, other]);
    expect(held.begun.toSorted()).toEqual(['user:1', 'user:1', 'user:2']);
  });
});
