import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const SUITES = join(ROOT, 'test/slow/browser');

/** The first column of the table under "Where to find what". */
function questions(): string[] {
  const text = readFileSync(join(ROOT, 'docs/console.md'), 'utf8');
  const [, section = ''] = /^## Where to find what$([\s\S]*?)^## /m.exec(text) ?? [];
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:-+|Question or task) /.test(line))
    .map((line) => line.split('|')[1]?.trim() ?? '');
}

function titles(): string[] {
  return readdirSync(SUITES)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(join(SUITES, name), 'utf8').matchAll(/^ +it\((?:'([^'\n]*)'|"([^"\n]*)"),/gm),
    ])
    .map(([, single, double]) => single ?? double ?? '');
}

it('each question of docs/console.md is one browser test under its name', () => {
  const known = titles();
  const counts = questions().map((question) => [
    question,
    known.filter((title) => title.startsWith(question)).length,
  ]);
  expect(counts).toHaveLength(14);
  expect(counts).toEqual(questions().map((question) => [question, 1]));
});
