import { RunsAtWork } from '../../../src/jobs/runs/runs-at-work.js';

const RUN = { id: 'run_1', fence: 1 };

describe('the runs that a worker remembers to work on', () => {
  it('keep one that was claimed for room, when the claim by its hint comes too late', async () => {
    const atWork = new RunsAtWork();
    const late = atWork.begin(RUN.id);
    await atWork.claiming(() => Promise.resolve(RUN));
    atWork.end(RUN.id, late);
    expect(atWork.has(RUN.id)).toBe(true);
    expect(atWork.forgotten([RUN])).toEqual([]);
    const signal = atWork.signalOf(RUN.id);
    atWork.breakOff(RUN.id, 'taken');
    expect(signal?.reason).toBe('taken');
  });

  it('are without one that has ended', async () => {
    const atWork = new RunsAtWork();
    await atWork.claiming(() => Promise.resolve(RUN));
    const signal = atWork.signalOf(RUN.id) ?? AbortSignal.abort();
    atWork.end(RUN.id, signal);
    expect(atWork.has(RUN.id)).toBe(false);
    expect(atWork.forgotten([RUN])).toEqual([RUN]);
  });

  it('do not count one as forgotten while a claim is open that may bring it', async () => {
    const atWork = new RunsAtWork();
    let bring = (_run: typeof RUN): void => undefined;
    const claiming = atWork.claiming(() => new Promise<typeof RUN>((resolve) => (bring = resolve)));
    expect(atWork.forgotten([RUN])).toEqual([]);
    bring(RUN);
    await claiming;
    expect(atWork.forgotten([RUN])).toEqual([]);
  });

  it('break off one that was taken away while the claim that brings it was open', async () => {
    const atWork = new RunsAtWork();
    await atWork.claiming(() => {
      atWork.breakOff(RUN.id, 'taken');
      return Promise.resolve(RUN);
    });
    expect(atWork.signalOf(RUN.id)?.aborted).toBe(true);
  });
});
