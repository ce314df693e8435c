import { tenantSlots, WorkerSlots } from '../../../src/jobs/runs/slots/worker-slots.js';

describe('the slots of a worker that one tenant may hold', () => {
  it.each([
    [1, 0.75, 1],
    [2, 0.75, 1],
    [3, 0.75, 2],
    [4, 0.75, 3],
    [10, 0.75, 7],
    [4, 1, 3],
    [4, 0.1, 1],
    [100, 0.29, 29],
    [10, 0.7, 7],
  ])('of %i by a share of %d are %i', (slots, share, expected) => {
    expect(tenantSlots(slots, share)).toBe(expected);
  });

  it('are refused beyond the limit of the tenant, and available again when one is released', () => {
    const slots = new WorkerSlots(10, 2);
    expect([slots.take('a'), slots.take('a'), slots.take('a'), slots.take('b')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(slots.release('a')).toBe(1);
    expect(slots.take('a')).toBe(true);
    expect(slots.isWithinShare('a')).toBe(false);
    expect([slots.release('a'), slots.release('a')]).toEqual([1, 0]);
    expect(slots.isWithinShare('a')).toBe(true);
  });

  it('are refused to every tenant while all are in use, and whoever waits for one goes on when one is free', async () => {
    const slots = new WorkerSlots(2, 2);
    expect([slots.take('a'), slots.take('b'), slots.take('c')]).toEqual([true, true, false]);
    expect(slots.isFull).toBe(true);
    const waiting = slots.whenFree(60_000);
    slots.release('a');
    await waiting;
    expect([slots.isFull, slots.take('c'), slots.isFull]).toEqual([false, true, true]);
    await slots.whenFree(1);
    expect(slots.isFull).toBe(true);
  });
});
