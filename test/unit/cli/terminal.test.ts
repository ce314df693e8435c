import { facts, table } from '../../../servicectl/src/table.js';
import { indented, oneLine, sanitizeForTerminal, Terminal } from '../../../servicectl/src/terminal.js';

const terminal = new Terminal(false);

describe('text of others on a terminal', () => {
  it('cannot command it', () => {
    const hostile = 'a\u001B[2Jb\u0007c\rd\u009B31me\u0000';
    expect(sanitizeForTerminal(hostile)).toBe('a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d\u{FFFD}31me\u{FFFD}');
  });

  it('is shown in the order that it has', () => {
    expect(sanitizeForTerminal('delete \u202Egreet\u202C \u2067x\u2069')).toBe(
      'delete \u{FFFD}greet\u{FFFD} \u{FFFD}x\u{FFFD}',
    );
    expect(sanitizeForTerminal('שלום')).toBe('שלום');
  });

  it('keeps its lines, tabs and letters', () => {
    expect(sanitizeForTerminal('één\n\t→ 名前')).toBe('één\n\t→ 名前');
  });

  it('stays in its row and column', () => {
    expect(
      table(
        terminal,
        [{ heading: 'A' }, { heading: 'B' }],
        [
          ['one\ntwo', '\u001B[1mx'],
          ['1', ''],
        ],
      ),
    ).toBe(['A        B', 'one two  \u{FFFD}[1mx', '1'].join('\n'));
  });

  it('has no line that looks like one of ours', () => {
    expect(indented('info  started\n2026-01-01T00:00:00Z error all is lost\r\n')).toBe(
      'info  started\n    2026-01-01T00:00:00Z error all is lost\u{FFFD}\n    ',
    );
    expect(oneLine('failed: a\nrun_2 completed')).toBe('failed: a run_2 completed');
    expect(facts(terminal, { Error: 'no\nStatus  completed' })).toBe('Error  no\n       Status  completed');
  });

  it('stands beside its name, unless there is none', () => {
    expect(facts(terminal, { Job: 'greet', Description: null, Next: '' })).toBe('Job  greet');
  });
});
