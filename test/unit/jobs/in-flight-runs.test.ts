import { InFlightRuns } from '../../../src/jobs/runs/attempt/in-flight-runs.js';

const RUN = { id: 'run_1', fence: 1 };
const AGAIN = { id: 'run_1', fence: 2 };

const claimed = (...runs: (typeof RUN)[]): Promise<{ claimed: (typeof RUN)[] }> =>
  Promise.resolve({ claimed: runs });

describe('the in-flight runs of a worker', () => {
  it('keep a run that was claimed again by the claim which came with its end', async () => {
    const inFlight = new InFlightRuns();
    await inFlight.trackClaimed(() => claimed(RUN));
    await inFlight.trackClaimed(() => claimed(AGAIN));
    inFlight.end(RUN);
    expect(inFlight.has(RUN.id)).toBe(true);
    expect(inFlight.untracked([AGAIN])).toEqual([]);
    inFlight.abort(RUN.id, 'taken');
    expect(inFlight.signalOf(AGAIN).reason).toBe('taken');
  });

  it('do not contain a run that has ended', async () => {
    const inFlight = new InFlightRuns();
    await inFlight.trackClaimed(() => claimed(RUN));
    inFlight.end(RUN);
    expect(inFlight.has(RUN.id)).toBe(false);
    expect(inFlight.signalOf(RUN).aborted).toBe(true);
    expect(inFlight.untracked([RUN])).toEqual([RUN]);
  });

  it('do not treat a run as forgotten while a claim is open that may return it', async () => {
    const inFlight = new InFlightRuns();
    let answer = (_runs: { claimed: (typeof RUN)[] }): void => undefined;
    const claiming = inFlight.trackClaimed(
      () => new Promise<{ claimed: (typeof RUN)[] }>((resolve) => (answer = resolve)),
    );
    expect(inFlight.untracked([RUN])).toEqual([]);
    answer({ claimed: [RUN] });
    await claiming;
    expect(inFlight.untracked([RUN])).toEqual([]);
  });

  it('abort a run that was taken away while its claim was open', async () => {
    const inFlight = new InFlightRuns();
    await inFlight.trackClaimed(() => {
      inFlight.abort(RUN.id, 'taken');
      return claimed(RUN);
    });
    expect(inFlight.signalOf(RUN).aborted).toBe(true);
  });
});
