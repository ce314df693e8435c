import { withoutAnsi } from '../../../console/src/pages/run/ansi.js';
import { compareNames } from '../../../console/src/parts/compare-names.js';

const ESC = '\u001B';

it('a line of a log loses the colours of a terminal, and nothing else', () => {
  expect(withoutAnsi(`${ESC}[1;32m✔ done${ESC}[0m in ${ESC}[38;5;204m3 s${ESC}[39m`)).toBe('✔ done in 3 s');
  expect(withoutAnsi(`${ESC}]8;;https://example.com\u0007link${ESC}]8;;${ESC}\\ [32m`)).toBe('link [32m');
  expect(withoutAnsi(`${ESC}[2K${ESC}[1Aagain${ESC}M`)).toBe('again');
  expect(withoutAnsi('[31m stays, without its escape\n\tas does this')).toBe(
    '[31m stays, without its escape\n\tas does this',
  );
});

it('names are in the order of the numbers in them, whatever their case', () => {
  const names = ['Job 10', 'job 2', 'Émile', 'Job 1', 'zebra', 'emil'];
  expect(names.sort(compareNames)).toEqual(['emil', 'Émile', 'Job 1', 'job 2', 'Job 10', 'zebra']);
});
