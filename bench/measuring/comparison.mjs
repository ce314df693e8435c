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
        if (name === first) return [key, summary];
        const ours = median(values[first][key]);
        const ratio = table.figures[key].better === 'more' ? ours / summary.median : summary.median / ours;
        return [key, { ...summary, ratio }];
      }),
    ),
  }));
  return { ...table, subjects };
}
