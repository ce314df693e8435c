import { readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

/** Rows of the tables in a text as lists of cells, whatever the padding and whatever stands before the first bar. */
function rowsIn(path: string): string[] {
  const lines = readFileSync(new URL(path, root), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const row = /\|.*\|/.exec(line)?.[0];
    const isRule = row !== undefined && /^[|\s-]+$/.test(row);
    return row === undefined || isRule
      ? []
      : [
          row
            .split('|')
            .map((cell) => cell.trim())
            .join('|'),
        ];
  });
}

describe('docs/run-states.md', () => {
  it('has the table of the ways out of running that the code has', () => {
    const inCode = rowsIn('src/jobs/runs/run-state.ts').filter((row) => row.split('|').length === 5);
    expect(inCode).toHaveLength(7);
    expect(rowsIn('docs/run-states.md')).toEqual(expect.arrayContaining(inCode));
  });
});
