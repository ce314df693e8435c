import { tenantSlots, WorkerShares } from '../../../src/jobs/runs/slots/worker-shares.js';

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

  it('are refused beyond the limit, and available again when one is released', () => {
    const shares = new WorkerShares(2);
    expect([shares.take('a'), shares.take('a'), shares.take('a'), shares.take('b')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(shares.release('a')).toBe(1);
    expect(shares.take('a')).toBe(true);
    expect(shares.hasFreeSlot('a')).toBe(false);
    expect([shares.release('a'), shares.release('a')]).toEqual([1, 0]);
    expect(shares.hasFreeSlot('a')).toBe(true);
  });
});
