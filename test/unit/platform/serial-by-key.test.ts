import { QueueFullError, SerialByKey } from '../../../src/platform/database/index.js';

describe('work in turn', () => {
  it('runs one after the other for a key, and side by side for two', async () => {
    const withConnection = new SerialByKey();
    const events: string[] = [];
    const gates = new Map<string, () => void>();
    const work = (name: string) => async (): Promise<string> => {
      events.push(`${name} begins`);
      await new Promise<void>((resolve) => gates.set(name, resolve));
      events.push(`${name} ends`);
      return name;
    };
    const finish = (name: string): void => gates.get(name)?.();
    const results = [
      withConnection.run('k', work('first')),
      withConnection.run('k', work('second')),
      withConnection.run('j', work('other')),
    ];
    await Promise.resolve();
    finish('other');
    await results[2];
    expect(events).toEqual(['first begins', 'other begins', 'other ends']);
    finish('first');
    await results[0];
    await Promise.resolve();
    finish('second');
    expect(await Promise.all(results)).toEqual(['first', 'second', 'other']);
    expect(events.slice(3)).toEqual(['first ends', 'second begins', 'second ends']);
  });

  it('refuses callers beyond the maximum that may wait for the key, and admits them once one has finished', async () => {
    const withConnection = new SerialByKey(2);
    let finish = (): void => undefined;
    const first = withConnection.run('k', () => new Promise<void>((resolve) => (finish = resolve)));
    const waiting = [
      withConnection.run('k', () => Promise.resolve(1)),
      withConnection.run('k', () => Promise.resolve(2)),
    ];
    await expect(withConnection.run('k', () => Promise.resolve(3))).rejects.toThrow(QueueFullError);
    await expect(withConnection.run('j', () => Promise.resolve(4))).resolves.toBe(4);
    finish();
    await first;
    await expect(withConnection.run('k', () => Promise.resolve(5))).resolves.toBe(5);
    await expect(Promise.all(waiting)).resolves.toEqual([1, 2]);
  });

  it('goes on after work that failed', async () => {
    const withConnection = new SerialByKey();
    const failed = withConnection.run('k', () => Promise.reject(new Error('no')));
    const next = withConnection.run('k', () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('done');
  });
});
