import { calibrate } from '../../../src/cli/operator/calibrate.js';

/** A machine on which a hash takes a fixed time, and the same again for each pass. */
function machine(fixedMs: number, perPassMs: number): (timeCost: number) => Promise<number> {
  return (timeCost) => Promise.resolve(fixedMs + perPassMs * timeCost);
}

describe('calibrating password hashes', () => {
  it.each([
    [250, 0, 50, 5],
    [250, 10, 60, 4],
    [249, 0, 50, 4],
    [250, 0, 300, 1],
    [10_000, 0, 1, 100],
  ])('for %i ms, at %i ms and %i ms a pass, proposes %i', async (targetMs, fixed, perPass, expected) => {
    const { timeCost, measuredMs } = await calibrate(targetMs, machine(fixed, perPass));
    expect(timeCost).toBe(expected);
    expect(measuredMs).toBe(fixed + perPass * expected);
  });

  it('is soon done where the first measurements were of a busy machine', async () => {
    let measurements = 0;
    const busyAtFirst = (timeCost: number): Promise<number> => {
      measurements += 1;
      return Promise.resolve(measurements <= 7 ? 200 : 40 * timeCost);
    };
    expect((await calibrate(250, busyAtFirst)).timeCost).toBe(6);
    expect(measurements).toBeLessThan(20);
  });
});
