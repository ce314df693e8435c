import { HashQueue } from '../../../src/identity/passwords/hash-queue.js';

/** Work that ends when it is told to, and in which order it began. */
function workload(queue: HashQueue): {
  readonly began: string[];
  readonly refused: string[];
  submit(name: string, weight?: number): void;
  endOne(): Promise<void>;
} {
  const began: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  return {
    began,
    refused,
    submit: (name, weight) => {
      const [client = ''] = name.split(' ');
      const work = (): Promise<void> => {
        began.push(name);
        return new Promise((resolve) => ends.push(resolve));
      };
      queue.run(client, work, weight).catch((error: unknown) => {
        refused.push(`${name}: ${(error as { code?: string }).code}`);
      });
    },
    endOne: async () => {
      ends.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

async function drained(queue: ReturnType<typeof workload>, ends: number): Promise<string[]> {
  for (let ended = 0; ended < ends; ended += 1) await queue.endOne();
  return queue.began;
}

describe('the queue of password hashes', () => {
  it('serves clients in turn, so that a client that floods delays only itself', async () => {
    const load = workload(new HashQueue(1, 100));
    for (let number = 1; number <= 5; number += 1) load.submit(`flood ${number}`);
    load.submit('quiet 1');
    load.submit('other 1');
    load.submit('quiet 2');
    const order = ['flood 1', 'flood 2', 'quiet 1', 'other 1', 'flood 3', 'quiet 2', 'flood 4', 'flood 5'];
    expect(await drained(load, 8)).toEqual(order);
    expect(load.refused).toEqual([]);
  });

  it('that is full refuses the latest of the client with most in it, not the newcomer', async () => {
    const load = workload(new HashQueue(1, 3));
    for (let number = 1; number <= 4; number += 1) load.submit(`flood ${number}`);
    load.submit('quiet 1');
    load.submit('flood 5');
    load.submit('other 1');
    expect(await drained(load, 4)).toEqual(['flood 1', 'flood 2', 'quiet 1', 'other 1']);
    expect(load.refused.sort()).toEqual([3, 4, 5].map((number) => `flood ${number}: overloaded`));
  });

  it('that is full of one for each client refuses the newcomer', async () => {
    const load = workload(new HashQueue(1, 2));
    for (const name of ['a 1', 'b 1', 'c 1', 'd 1']) load.submit(name);
    expect(await drained(load, 3)).toEqual(['a 1', 'b 1', 'c 1']);
    expect(load.refused).toEqual(['d 1: overloaded']);
  });

  it('lets a heavy hash wait for as much room as it takes, and nobody past it', async () => {
    const load = workload(new HashQueue(3, 10));
    load.submit('light 1');
    load.submit('light 2');
    load.submit('heavy 1', 2);
    load.submit('late 1');
    await new Promise(setImmediate);
    expect(load.began).toEqual(['light 1', 'light 2']);
    await load.endOne();
    expect(load.began).toEqual(['light 1', 'light 2', 'heavy 1']);
    await load.endOne();
    expect(load.began).toEqual(['light 1', 'light 2', 'heavy 1', 'late 1']);
  });

  it('runs a hash that is heavier than all room alone', async () => {
    const load = workload(new HashQueue(2, 10));
    load.submit('light 1');
    load.submit('heavy 1', 100);
    load.submit('heavy 2', 100);
    load.submit('light 2');
    await new Promise(setImmediate);
    expect(load.began).toEqual(['light 1']);
    await load.endOne();
    expect(load.began).toEqual(['light 1', 'heavy 1']);
    await load.endOne();
    expect(load.began).toEqual(['light 1', 'heavy 1', 'light 2']);
    await load.endOne();
    expect(load.began).toEqual(['light 1', 'heavy 1', 'light 2', 'heavy 2']);
    expect(load.refused).toEqual([]);
  });
});
