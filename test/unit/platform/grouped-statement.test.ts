import { GroupedStatement } from '../../../src/platform/database/index.js';
import { until } from '../../support/until.js';

interface Call {
  readonly items: readonly number[];
  readonly finish: () => void;
  readonly fail: (error: Error) => void;
}

/** A statement whose ends are the test's to say; each item comes to its double. */
function heldStatement(): {
  calls: Call[];
  group: GroupedStatement<number, number>;
  begun: (count: number) => Promise<void>;
} {
  const calls: Call[] = [];
  const group = new GroupedStatement<number, number>(
    (items) =>
      new Promise((resolve, reject) => {
        const finish = (): void => {
          resolve(items.map((item) => item * 2));
        };
        calls.push({ items, finish, fail: reject });
      }),
  );
  return { calls, group, begun: (count) => until(() => calls.length === count) };
}

function unavailable(): Error {
  return Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
}

describe('a grouped statement', () => {
  it('does together what is asked for at one time, and gives each its own', async () => {
    const { calls, group, begun } = heldStatement();
    const results = Promise.all([1, 2, 3].map((item) => group.run(item)));
    await begun(1);
    expect(calls.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    calls[0]?.finish();
    expect(await results).toEqual([2, 4, 6]);
  });

  it('lets those who come while it is under way go together with the next, as soon as it has ended', async () => {
    const { calls, group, begun } = heldStatement();
    const first = group.run(1);
    await begun(1);
    const others = [group.run(2), group.run(3)];
    expect(calls).toHaveLength(1);
    calls[0]?.finish();
    expect(await first).toBe(2);
    expect(calls.map(({ items }) => items)).toEqual([[1], [2, 3]]);
    calls[1]?.finish();
    expect(await Promise.all(others)).toEqual([4, 6]);
  });

  it('does not make callers wait behind a statement that hangs', async () => {
    const { calls, group, begun } = heldStatement();
    const hanging = group.run(1);
    await begun(1);
    const other = group.run(2);
    await begun(2);
    expect(calls.map(({ items }) => items)).toEqual([[1], [2]]);
    calls[1]?.finish();
    expect(await other).toBe(4);
    calls[0]?.finish();
    expect(await hanging).toBe(2);
  });

  it('has so many items at most', async () => {
    const sizes: number[] = [];
    const group = new GroupedStatement<number, number>((items) => {
      sizes.push(items.length);
      return Promise.resolve(items);
    });
    const items = Array.from({ length: 250 }, (_, item) => item);
    expect(await Promise.all(items.map((item) => group.run(item)))).toEqual(items);
    expect(sizes).toEqual([100, 100, 50]);
  });

  it('spares the others what one item brings about', async () => {
    const group = new GroupedStatement<number, number>((items) =>
      items.includes(2) ? Promise.reject(new Error('2 is too much')) : Promise.resolve(items),
    );
    const results = await Promise.allSettled([1, 2, 3].map((item) => group.run(item)));
    expect(results).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new Error('2 is too much') },
      { status: 'fulfilled', value: 3 },
    ]);
  });

  it('does not make other callers wait for an item that is executed alone', async () => {
    const group = new GroupedStatement<number, number>((items) => {
      if (items.length > 1) return Promise.reject(new Error('it took too long'));
      return items.includes(1) ? new Promise(() => undefined) : Promise.resolve(items);
    });
    let hasHung = true;
    void group.run(1).finally(() => (hasHung = false));
    expect(await group.run(2)).toBe(2);
    await new Promise(setImmediate);
    expect(hasHung).toBe(true);
  });

  it('does nothing a second time when the database did not answer, since it may have been done', async () => {
    const calls: (readonly number[])[] = [];
    const group = new GroupedStatement<number, number>((items) => {
      calls.push(items);
      return Promise.reject(unavailable());
    });
    const results = await Promise.allSettled([1, 2].map((item) => group.run(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toEqual([[1, 2]]);
  });

  it('goes on after a failure', async () => {
    const { calls, group, begun } = heldStatement();
    const first = group.run(1);
    await begun(1);
    const next = group.run(2);
    calls[0]?.fail(unavailable());
    await expect(first).rejects.toThrow('connection refused');
    await begun(2);
    calls[1]?.finish();
    expect(await next).toBe(4);
  });
});
