import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY, textOf } from '../../support/documents/markdown.js';

const [promised = ''] = textOf('docs/security.md').split('\n## What is left to you\n');

/** A test as a cell names it: a path below test/, and titles of that file. */
interface Reference {
  readonly file: string;
  readonly titles: readonly string[];
}

/** A row of a table of threats. */
interface Row {
  readonly threat: string;
  readonly cells: readonly string[];
}

const rows: Row[] = promised
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:Threat|-+) /.test(line))
  .map((line) => {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { threat: cells[0] ?? '', cells };
  });

const REFERENCE = /^`([\w./-]+)`((?:,? "[^"]+")*)$/;

/** The tests of a cell, separated by semicolons; undefined for one that is written otherwise. */
function referencesOf(cell: string): (Reference | undefined)[] {
  return cell.split(/; (?=`)/).map((written) => {
    const [, file, titles = ''] = REFERENCE.exec(written) ?? [];
    if (file === undefined) return undefined;
    return { file, titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title) };
  });
}

/** Cases of a suite that are kept in a file beside it are named with its extension. */
function fileOf({ file }: Reference): string {
  return path.join(REPOSITORY, 'test', file.endsWith('.ts') ? file : `${file}.test.ts`);
}

describe('docs/security.md', () => {
  it('promises nothing outside its tables but what the introduction says of itself', () => {
    const sections = promised.split(/^## .*$/m).slice(1);
    expect(sections.length).toBeGreaterThan(10);
    const prose = sections
      .flatMap((section) => section.split('\n'))
      .filter((line) => !/^(?:\|.*)?$/.test(line));
    expect(prose).toEqual([]);
  });

  it('has rows of threat, answer and test', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(rows.filter(({ cells }) => cells.length !== 3 || cells.includes(''))).toEqual([]);
  });

  it.each(rows)('names tests that exist: $threat', ({ cells }) => {
    const references = referencesOf(cells[2] ?? '');
    expect(references).not.toContain(undefined);
    const named = references.filter((reference) => reference !== undefined);
    expect(named.map(fileOf).filter((file) => !existsSync(file))).toEqual([]);
    for (const reference of named) {
      const source = readFileSync(fileOf(reference), 'utf8');
      const parts = reference.titles.flatMap((title) => title.split(' › '));
      expect(parts.filter((part) => !source.includes(part))).toEqual([]);
    }
  });
});
