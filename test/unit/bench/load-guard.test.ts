interface Decision {
  readonly keep: boolean;
  readonly reason: string | null;
}

interface Options {
  readonly load: number;
  readonly isWhole: boolean;
  readonly isWanted: boolean;
  readonly isDespiteLoad: boolean;
}

/** JavaScript without types, as all of bench/. */
const MODULE: string = '../../../bench/measuring/load-guard.mjs';

async function decide(options: Partial<Options>): Promise<Decision> {
  const { decideKeeping } = (await import(MODULE)) as {
    decideKeeping: (options: Options) => Decision;
  };
  return decideKeeping({ load: 0.1, isWhole: true, isWanted: true, isDespiteLoad: false, ...options });
}

describe('the results of the benchmarks', () => {
  it('are kept when the machine was idle before the run', async () => {
    expect(await decide({ load: 0.5 })).toEqual({ keep: true, reason: null });
  });

  it('are not kept when the machine was busy before the run, and the user learns the load and the option', async () => {
    const { keep, reason } = await decide({ load: 0.51 });
    expect(keep).toBe(false);
    expect(reason).toContain('0.51');
    expect(reason).toContain('--keep-despite-load');
  });

  it('are kept in spite of the load when the user says so', async () => {
    expect(await decide({ load: 7, isDespiteLoad: true })).toEqual({ keep: true, reason: null });
  });

  it('are not kept when only a part was measured or the user wants no files', async () => {
    expect((await decide({ isWhole: false, isDespiteLoad: true })).keep).toBe(false);
    expect((await decide({ isWanted: false, isDespiteLoad: true })).keep).toBe(false);
  });
});
