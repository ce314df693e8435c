interface Table {
  readonly id: string;
  readonly title: string;
  readonly figures: Record<string, { title: string }>;
  readonly subjects: { name: string; figures: Record<string, { median: number }> }[];
}

interface Row {
  readonly goal: string;
  readonly measured: number;
  readonly isReached: boolean;
}

/** JavaScript without types, as all of bench/. */
const MODULE: string = '../../../bench/measuring/goals.mjs';

async function rowsOf(table: Table): Promise<Row[]> {
  const { compareWithGoals } = (await import(MODULE)) as {
    compareWithGoals: (tables: readonly Table[]) => Row[];
  };
  return compareWithGoals([table]).map(({ goal, measured, isReached }) => ({ goal, measured, isReached }));
}

function tableOf(id: string, figure: string, medians: Record<string, number>): Table {
  return {
    id,
    title: 'Work: details',
    figures: { [figure]: { title: figure } },
    subjects: Object.entries(medians).map(([name, median]) => ({ name, figures: { [figure]: { median } } })),
  };
}

describe('the goals of the benchmarks', () => {
  it('compare a rate with that of each peer and leave out peers that were not measured', async () => {
    const medians = { Service: 150, 'pg-boss': 100, 'graphile-worker': 110 };
    expect(await rowsOf(tableOf('jobs-flood', 'ended_per_second', medians))).toEqual([
      { goal: '≥ 1.5 × pg-boss', measured: 1.5, isReached: true },
      { goal: '≥ 1.5 × graphile-worker', measured: 150 / 110, isReached: false },
    ]);
  });

  it('hold for times when they are at most a multiple of the peer’s', async () => {
    expect(await rowsOf(tableOf('jobs-flood', 'processor_ms', { Service: 1.3, BullMQ: 1 }))).toEqual([
      { goal: '≤ 1.2 × BullMQ', measured: 1.3, isReached: false },
    ]);
  });

  it('hold for figures without a peer', async () => {
    expect(await rowsOf(tableOf('identity-others', 'p99_ms', { Service: 50 }))).toEqual([
      { goal: '≤ 50', measured: 50, isReached: true },
    ]);
  });
});
