import { AccessWatch } from '../../../src/access/revalidation/access-watch.js';
import { CacheInvalidation } from '../../../src/cache-invalidation/index.js';
import { loadConfig } from '../../../src/platform/config/index.js';
import type { Config } from '../../../src/platform/config/index.js';
import type { Change } from '../../../src/cache-invalidation/index.js';
import type { Caller } from '../../../src/http/index.js';
import { stopExpiry } from '../../support/clocks.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { until } from '../../support/until.js';

const FOLLOWERS = 100;
const CHANGES = 40;

function user(userId: string): Caller {
  return { type: 'user', userId, sessionId: 's', email: `${userId}@example.com` };
}

describe('the access of an answer that goes on', () => {
  let environment: TestEnvironment;
  let feed: CacheInvalidation;
  let watch: AccessWatch;
  let config: Config;
  const ends: (() => void)[] = [];

  beforeAll(async () => {
    environment = await createEnvironment();
    const env = {
      ...environment.variables,
      SERVICE_TIMING__ACCESS__PATIENCE_MS: '1000',
      SERVICE_TIMING__ACCESS__RECHECK_MS: '5000',
    };
    config = loadConfig({ env, cwd: process.cwd() });
    feed = new CacheInvalidation(config);
    watch = new AccessWatch(config, feed);
    await feed.start();
  });

  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  afterAll(async () => {
    await feed.stop();
    await environment.dispose();
  });

  /** A follower whose access stands until `isOver`, with how often it was asked for. */
  class Follower {
    asked = 0;
    lost = 0;
    isOver = false;

    constructor(caller: Caller, tenantId: string, by = watch, key = `${tenantId} ${JSON.stringify(caller)}`) {
      const require = async (): Promise<void> => {
        this.asked += 1;
        await Promise.resolve();
        if (this.isOver) throw new Error('no more');
      };
      ends.push(by.watch({ key, caller, tenantId, require }, () => (this.lost += 1)));
    }
  }

  async function announce(...changes: string[]): Promise<void> {
    for (const change of changes)
      await environment.database.query(`SELECT pg_notify('service_changes', $1)`, [change]);
  }

  it('is asked for at once, for it may have ended since the guards looked', async () => {
    const follower = new Follower(user('late'), 'a');
    follower.isOver = true;
    await until(() => follower.lost === 1);
  });

  it('is checked again only for changes that concern it, and once for a flood of them', async () => {
    const expiry = stopExpiry();
    let tell: (change: Change) => void = () => undefined;
    const changes = { onChange: (listener: typeof tell) => (tell = listener) };
    const told = new AccessWatch(config, changes as unknown as CacheInvalidation);
    const followers = (name: string, tenant: string): Follower[] =>
      Array.from({ length: FOLLOWERS }, (_, nth) => new Follower(user(`${name}-${nth}`), tenant, told));
    const [ours, theirs] = [followers('member', 'ours'), followers('other', 'theirs')];
    await until(() => [...ours, ...theirs].every(({ asked }) => asked === 1));
    for (let nth = 0; nth < CHANGES; nth += 1) {
      tell({ kind: 'membership', id: 'ours' });
      tell({ kind: 'signing_secret', id: 'theirs' });
    }
    await until(() => ours.every(({ asked }) => asked === 2));
    // In the next round, only who has a reason is asked for.
    const [first, ...others] = ours;
    if (first !== undefined) first.isOver = true;
    tell({ kind: 'membership', id: 'member-0' });
    await until(() => first?.lost === 1);
    expect(others.map(({ asked }) => asked)).toEqual(Array(FOLLOWERS - 1).fill(2));
    expect(theirs.map(({ asked }) => asked)).toEqual(Array(FOLLOWERS).fill(1));
    expiry.mockRestore();
  });

  it('is asked for once where many have it by the same credentials, and all of them lose it', async () => {
    const followers = Array.from({ length: 20 }, () => new Follower(user('one'), 'a', watch, 'the same'));
    await until(() => followers.some(({ asked }) => asked > 0));
    expect(followers.reduce((sum, { asked }) => sum + asked, 0)).toBe(1);
    const expiry = stopExpiry();
    for (const follower of followers) follower.isOver = true;
    await announce('user:one');
    await until(() => followers.every(({ lost }) => lost === 1));
    expiry.mockRestore();
  });

  it('is not asked for any more once the answer has ended', async () => {
    const gone = new Follower(user('gone'), 'a');
    const stays = new Follower(user('stays'), 'a');
    await until(() => gone.asked === 1 && stays.asked === 1);
    gone.isOver = true;
    ends.shift()?.();
    await announce('membership:a');
    await until(() => stays.asked > 1);
    expect([gone.asked, gone.lost]).toEqual([1, 0]);
  });

  it('of a run token is checked periodically, because the end of an attempt is not announced', async () => {
    const run = new Follower(
      { type: 'run', runId: 'run_1', attempt: 1, tenantId: 'a', permissions: ['*'], userId: null },
      'a',
    );
    await until(() => run.asked === 1);
    run.isOver = true;
    await until(() => run.lost === 1);
  });

  it('ends a few seconds later if no change is announced, or if access cannot be checked', async () => {
    const expired = new Follower(user('expired'), 'a');
    let untold = 0;
    const forEver = new Promise<void>(() => undefined);
    const unanswered = {
      key: 'unanswered',
      caller: user('unanswered'),
      tenantId: 'a',
      require: () => forEver,
    };
    await until(() => expired.asked === 1);
    expired.isOver = true;
    ends.push(watch.watch(unanswered, () => (untold += 1)));
    await until(() => expired.lost === 1 && untold === 1);
  });
});
