import CliTable from 'cli-table3';
import stringWidth from 'string-width';
import { oneLine, sanitizeForTerminal } from './terminal.js';
import type { Colour, Terminal } from './terminal.js';

/** Text of others, in one line; with a colour where it means something. */
export type Cell = string | { readonly text: string; readonly colour: Colour };

export interface Column {
  readonly heading: string;
  /** Leaves the column out where the terminal is too narrow: 1 first, then 2. A column without it stays. */
  readonly leftOut?: number;
  /** Shortens the text where that is not enough. */
  readonly shortens?: true;
}

const GAP = '  ';
/** A column that shortens keeps so much. */
const LEAST_WIDTH = 8;

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'left', 'right'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((part) => [`${side}${part}`, '']),
  ),
);

/** Rows under headings, as many columns as the terminal has room for. */
export function table(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): string {
  const widths = columns.map(({ heading }, index) =>
    Math.max(stringWidth(heading), ...rows.map((row) => stringWidth(textOf(row[index])))),
  );
  const shown = shownColumns(columns, widths, terminal.width);
  const grid = new CliTable({
    chars: { ...NO_BORDERS, mid: '', 'mid-mid': '', middle: GAP },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    head: shown.map((index) => terminal.paint('dim', columns[index]?.heading ?? '')),
    colWidths: fittingWidths(columns, widths, shown, terminal.width),
  });
  grid.push(...rows.map((row) => shown.map((index) => painted(terminal, row[index]))));
  return grid
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Names with their values below each other; a value that is null or empty is left out. */
export function facts(terminal: Terminal, values: Readonly<Record<string, Cell | null>>): string {
  const shown = Object.entries(values).flatMap(([name, value]) => {
    const { text, colour } =
      typeof value === 'object' && value !== null ? value : { text: value, colour: null };
    return text === null || text === '' ? [] : [{ name, text: sanitizeForTerminal(text), colour }];
  });
  const width = Math.max(...shown.map(({ name }) => name.length));
  return shown
    .flatMap(({ name, text, colour }) =>
      wrapped(text, terminal.width - width - GAP.length).map((line, index) => {
        const label = index === 0 ? terminal.paint('dim', name.padEnd(width)) : ' '.repeat(width);
        return `${label}${GAP}${colour === null ? line : terminal.paint(colour, line)}`;
      }),
    )
    .join('\n');
}

/** Lines of at most so many columns, broken between words; a longer word stays whole, so that it can be copied. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    for (const word of line.split(' ')) {
      const last = lines.at(-1);
      const longer = last === undefined ? word : `${last} ${word}`;
      if (last === undefined || stringWidth(longer) > width) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    return lines;
  });
}

function shownColumns(columns: readonly Column[], widths: readonly number[], room: number): number[] {
  let shown = columns.map((_, index) => index);
  const order = shown
    .filter((index) => columns[index]?.leftOut !== undefined)
    .sort((left, right) => (columns[left]?.leftOut ?? 0) - (columns[right]?.leftOut ?? 0));
  for (const index of order)
    if (totalWidth(widths, shown) > room) shown = shown.filter((other) => other !== index);
  return shown;
}

/** Takes what is too much from the columns that shorten, the widest first. */
function fittingWidths(
  columns: readonly Column[],
  widths: readonly number[],
  shown: readonly number[],
  room: number,
): number[] {
  const fitting = [...widths];
  const shortening = shown.filter((index) => columns[index]?.shortens === true);
  for (let excess = totalWidth(fitting, shown) - room; excess > 0; excess -= 1) {
    const widest = shortening.reduce<number | null>(
      (found, index) => (found === null || (fitting[index] ?? 0) > (fitting[found] ?? 0) ? index : found),
      null,
    );
    if (widest === null || (fitting[widest] ?? 0) <= LEAST_WIDTH) break;
    fitting[widest] = (fitting[widest] ?? 0) - 1;
  }
  return shown.map((index) => fitting[index] ?? 0);
}

function totalWidth(widths: readonly number[], shown: readonly number[]): number {
  return shown.reduce((sum, index) => sum + (widths[index] ?? 0), 0) + GAP.length * (shown.length - 1);
}

function painted(terminal: Terminal, cell: Cell | undefined): string {
  const text = textOf(cell);
  return typeof cell === 'object' ? terminal.paint(cell.colour, text) : text;
}

function textOf(cell: Cell | undefined): string {
  return oneLine(typeof cell === 'object' ? cell.text : (cell ?? ''));
}
