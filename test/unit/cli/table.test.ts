import { styleText } from 'node:util';
import { facts, table } from '../../../servicectl/src/table.js';
import type { Column } from '../../../servicectl/src/table.js';
import { Terminal } from '../../../servicectl/src/terminal.js';
import type { Colour } from '../../../servicectl/src/terminal.js';

/** Standard output as a terminal of so many columns, with or without colours. */
function terminalOf(width: number, hasColours = false): Terminal {
  return Object.defineProperties(new Terminal(false), {
    width: { value: width },
    paint: {
      value: (colour: Colour, text: string) =>
        hasColours ? styleText(colour, text, { validateStream: false }) : text,
    },
  });
}

const COLUMNS: readonly Column[] = [
  { heading: 'RUN' },
  { heading: 'JOB', shortens: true },
  { heading: 'TRIGGER', leftOut: 1 },
  { heading: 'CREATED', leftOut: 2 },
];
const ROWS = [['run_1', 'a-job-with-a-long-name', 'manual', '2026-11-21 12:00:00']];

describe('a table', () => {
  it('has all columns where a file or a program reads it', () => {
    expect(table(terminalOf(Infinity), COLUMNS, ROWS)).toBe(
      'RUN    JOB                     TRIGGER  CREATED\nrun_1  a-job-with-a-long-name  manual   2026-11-21 12:00:00',
    );
  });

  it.each([
    [59, 'RUN    JOB                     TRIGGER  CREATED'],
    [58, 'RUN    JOB                     CREATED'],
    [50, 'RUN    JOB                     CREATED'],
    [49, 'RUN    JOB'],
  ])('leaves columns out at %i columns, the least important first', (width, headings) => {
    expect(table(terminalOf(width), COLUMNS, ROWS).split('\n')[0]).toBe(headings);
  });

  it('shortens text where leaving columns out is not enough', () => {
    expect(table(terminalOf(20), COLUMNS, ROWS)).toBe('RUN    JOB\nrun_1  a-job-with-a…');
  });

  it('lines columns up by the width that characters have on a screen', () => {
    const rows = [
      ['名前', 'x'],
      ['name', 'y'],
    ];
    expect(table(terminalOf(80), [{ heading: 'A' }, { heading: 'B' }], rows)).toBe(
      'A     B\n名前  x\nname  y',
    );
  });

  it('paints a cell that has a colour, and headings', () => {
    const rows = [[{ text: 'failed', colour: 'red' as const }, 'x']];
    expect(table(terminalOf(80, true), [{ heading: 'A' }, { heading: 'B' }], rows)).toContain(
      `${red('failed')}  x`,
    );
  });
});

const dim = (text: string): string => `\u001B[2m${text}\u001B[22m`;
const red = (text: string): string => `\u001B[31m${text}\u001B[39m`;

describe('facts', () => {
  it('break a long value between words, below its beginning, and keep a long word whole', () => {
    expect(facts(terminalOf(20), { Name: 'one two three four', Run: 'run_01M8290A1BFNJAKXGJBH2QA0XX' })).toBe(
      'Name  one two three\n      four\nRun   run_01M8290A1BFNJAKXGJBH2QA0XX',
    );
  });

  it('paint names and values, and keep the lines of a value together', () => {
    const error = { text: 'one\ntwo', colour: 'red' } as const;
    expect(facts(terminalOf(80, true), { Run: 'run_1', Error: error })).toBe(
      `${dim('Run  ')}  run_1\n${dim('Error')}  ${red('one')}\n       ${red('two')}`,
    );
  });
});
