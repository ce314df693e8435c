import { InFlightRuns } from '../../../src/jobs/runs/attempt/in-flight-runs.js';

const RUN = { id: 'run_1', fence: 1 };

describe('the runs that a worker remembers to work on', () => {
  it('keep one that was claimed for capacity, when the claim by its wake-up comes too late', async () => {
    const inFlight = new InFlightRuns();
    const late = inFlight.begin(RUN.id);
    await inFlight.claiming(() => Promise.resolve(RUN));
    inFlight.end(RUN.id, late);
    expect(inFlight.has(RUN.id)).toBe(true);
    expect(inFlight.forgotten([RUN])).toEqual([]);
    const signal = inFlight.signalOf(RUN.id);
    inFlight.breakOff(RUN.id, 'taken');
    expect(signal?.reason).toBe('taken');
  });

  it('are without one that has ended', async () => {
    const inFlight = new InFlightRuns();
    await inFlight.claiming(() => Promise.resolve(RUN));
    const signal = inFlight.signalOf(RUN.id) ?? AbortSignal.abort();
    inFlight.end(RUN.id, signal);
    expect(inFlight.has(RUN.id)).toBe(false);
    expect(inFlight.forgotten([RUN])).toEqual([RUN]);
  });

  it('do not count one as forgotten while a claim is open that may bring it', async () => {
    const inFlight = new InFlightRuns();
    let bring = (_run: typeof RUN): void => undefined;
    const claiming = inFlight.claiming(() => new Promise<typeof RUN>((resolve) => (bring = resolve)));
    expect(inFlight.forgotten([RUN])).toEqual([]);
    bring(RUN);
    await claiming;
    expect(inFlight.forgotten([RUN])).toEqual([]);
  });

  it('break off one that was taken away while the claim that brings it was open', async () => {
    const inFlight = new InFlightRuns();
    await inFlight.claiming(() => {
      inFlight.breakOff(RUN.id, 'taken');
      return Promise.resolve(RUN);
    });
    expect(inFlight.signalOf(RUN.id)?.aborted).toBe(true);
  });
});
