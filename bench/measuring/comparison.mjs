import { median } from './statistics.mjs';

/**
 * The values of the rounds, summed up for each subject, with ratios to the first one. A ratio says how many times as
 * good the first one is, whether more of the figure is better or less.
 * @param {{ figures: Record<string, { better: 'more' | 'less' }>, values: Record<string, Record<string, number[]>> }} table
 */
export function compare({ values, ...table }) {
  const [first] = Object.keys(values);
  const subjects = Object.entries(values).map(([name, own]) => ({
    name,
    figures: Object.fromEntries(
      Object.entries(own).map(([key, rounds]) => {
        const summary = {
          median: median(rounds),
          least: Math.min(...rounds),
          most: Math.max(...rounds),
          rounds,
        };
        const ours = values[first][key];
        if (name === first || ours === undefined) return [key, summary];
        const ratio =
          table.figures[key].better === 'more'
            ? median(ours) / summary.median
            : summary.median / median(ours);
        // A program that does not use Redis at all has no ratio to one that does.
        return [key, Number.isFinite(ratio) && ratio > 0 ? { ...summary, ratio } : summary];
      }),
    ),
  }));
  return { ...table, subjects };
}
