type Values = Record<string, Record<string, number[]>>;

interface Compared {
  readonly subjects: { name: string; figures: Record<string, { median: number; ratio?: number }> }[];
}

interface Comparison {
  readonly compare: (table: {
    figures: Record<string, { better: 'more' | 'less' }>;
    values: Values;
  }) => Compared;
}

interface Statistics {
  readonly median: (values: readonly number[]) => number;
  readonly percentile: (values: readonly number[], percent: number) => number;
}

/** JavaScript without types, as all of bench/. */
async function measuring<Module>(name: string): Promise<Module> {
  return (await import(`../../../bench/measuring/${name}.mjs`)) as Module;
}

const figures = { per_second: { better: 'more' }, answer_ms: { better: 'less' } } as const;

describe('the ratios of the benchmarks', () => {
  it('say how many times as good the first subject is, whether more is better or less', async () => {
    const { compare } = await measuring<Comparison>('comparison');
    const { subjects } = compare({
      figures,
      values: {
        Service: { per_second: [100, 300, 200], answer_ms: [40, 10, 20] },
        faster: { per_second: [400, 400, 400], answer_ms: [5, 5, 5] },
        slower: { per_second: [50, 50, 50], answer_ms: [80, 80, 80] },
      },
    });
    const ratios = subjects.map(({ name, figures: own }) => [
      name,
      own.per_second?.ratio,
      own.answer_ms?.ratio,
    ]);
    expect(ratios).toEqual([
      ['Service', undefined, undefined],
      ['faster', 0.5, 0.25],
      ['slower', 4, 4],
    ]);
  });

  it('have no ratio to a program that does not use what is measured', async () => {
    const { compare } = await measuring<Comparison>('comparison');
    const { subjects } = compare({
      figures,
      values: { Service: { answer_ms: [3, 3, 3] }, other: { answer_ms: [0, 0, 0], per_second: [5, 5, 5] } },
    });
    expect(subjects[1]?.figures.answer_ms).toEqual({ median: 0, least: 0, most: 0, rounds: [0, 0, 0] });
    expect(subjects[1]?.figures.per_second).not.toHaveProperty('ratio');
  });
});

describe('the statistics of the benchmarks', () => {
  it('sort by number, whatever order the values come in', async () => {
    const { median, percentile } = await measuring<Statistics>('statistics');
    expect(median([100, 9, 20])).toBe(20);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    const values = Array.from({ length: 200 }, (_, place) => 200 - place);
    expect([percentile(values, 50), percentile(values, 99), percentile([7], 99)]).toEqual([100, 198, 7]);
  });
});
