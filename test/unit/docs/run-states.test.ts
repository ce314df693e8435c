import { readFileSync } from 'node:fs';
import { FINAL_STATUSES, TRANSITIONS } from '../../../src/jobs/runs/model/run-status.js';

const document = readFileSync(new URL('../../../docs/run-states.md', import.meta.url), 'utf8');

/** The arrows of the drawing, as `from -> to: event`; one arrow may bear several events. */
function drawn(): string[] {
  const diagram = /```mermaid\nstateDiagram-v2\n([^]*?)```/.exec(document)?.[1] ?? '';
  return [...diagram.matchAll(/^\s*(\S+) --> (\S+)(?:: (.*))?$/gm)].flatMap(([, from, to, events = '']) =>
    events.split(', ').map((event) => `${from ?? ''} -> ${to ?? ''}: ${event}`),
  );
}

/** The rows of the table of transitions, as `from -> to: event`. */
function listed(): string[] {
  const table = /\| From[^\n]*\n\|[-| ]*\n([^]*?)\n\n/.exec(document)?.[1] ?? '';
  return table.split('\n').map((row) => {
    const [from = '', event = '', to = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim().replaceAll('`', ''));
    return `${from} -> ${to}: ${event}`;
  });
}

describe('docs/run-states.md', () => {
  const inCode = TRANSITIONS.map(({ from, event, to }) => `${from} -> ${to}: ${event}`);

  it('draws every transition of the code, and no other', () => {
    const ends = FINAL_STATUSES.map((status) => `${status} -> [*]: `);
    expect(drawn().sort()).toEqual(['[*] -> queued: accepted', ...ends, ...inCode].sort());
  });

  it('lists every transition of the code, in its order', () => {
    expect(listed()).toEqual(inCode);
  });
});
