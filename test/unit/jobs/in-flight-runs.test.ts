import { InFlightRuns } from '../../../src/jobs/runs/attempt/in-flight-runs.js';

const RUN = { id: 'run_1', fence: 1 };

const itself = (run: typeof RUN): typeof RUN => run;

describe('the in-flight runs of a worker', () => {
  it('keep a run that was claimed for a free slot when the claim by its wake-up comes too late', async () => {
    const inFlight = new InFlightRuns();
    const late = inFlight.begin(RUN.id);
    await inFlight.claimAny(() => Promise.resolve(RUN), itself);
    inFlight.end(RUN.id, late);
    expect(inFlight.has(RUN.id)).toBe(true);
    expect(inFlight.untracked([RUN])).toEqual([]);
    const signal = inFlight.signalOf(RUN.id);
    inFlight.abort(RUN.id, 'taken');
    expect(signal?.reason).toBe('taken');
  });

  it('do not contain a run that has ended', async () => {
    const inFlight = new InFlightRuns();
    await inFlight.claimAny(() => Promise.resolve(RUN), itself);
    const signal = inFlight.signalOf(RUN.id) ?? AbortSignal.abort();
    inFlight.end(RUN.id, signal);
    expect(inFlight.has(RUN.id)).toBe(false);
    expect(inFlight.untracked([RUN])).toEqual([RUN]);
  });

  it('do not treat a run as forgotten while a claim is open that may return it', async () => {
    const inFlight = new InFlightRuns();
    let answer = (_run: typeof RUN): void => undefined;
    const claiming = inFlight.claimAny(
      () => new Promise<typeof RUN>((resolve) => (answer = resolve)),
      itself,
    );
    expect(inFlight.untracked([RUN])).toEqual([]);
    answer(RUN);
    await claiming;
    expect(inFlight.untracked([RUN])).toEqual([]);
  });

  it('abort a run that was taken away while its claim was open', async () => {
    const inFlight = new InFlightRuns();
    await inFlight.claimAny(() => {
      inFlight.abort(RUN.id, 'taken');
      return Promise.resolve(RUN);
    }, itself);
    expect(inFlight.signalOf(RUN.id)?.aborted).toBe(true);
  });
});
