import { csvLine } from '../../../src/audit/reading/csv.js';

describe('a line of CSV', () => {
  it('quotes a field with a comma, a quote or a line break, and doubles its quotes', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', null])).toBe(
      'a,"b,c","say ""hi""","two\nlines",\r\n',
    );
  });

  it.each([
    ['=1+1', `'=1+1`],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['  =1', `'  =1`],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', `"'\r'=1"`],
    ['a;=1', `"a;'=1"`],
    ['a; "=1', `"a; ""'=1"`],
    ['a\t@SUM(A1)', `"a\t'@SUM(A1)"`],
    ['a\n-1;+1', `"a\n'-1;'+1"`],
    ['\uff1d1', `'\uff1d1`],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ])('writes %j so that no spreadsheet runs it as a formula', (value, written) => {
    expect(csvLine([value])).toBe(`${written}\r\n`);
  });

  it('leaves plain text as it is', () => {
    expect(csvLine(['ada@example.com', 'a=b', '2026-01-31T12:00:00.000Z'])).toBe(
      'ada@example.com,a=b,2026-01-31T12:00:00.000Z\r\n',
    );
  });
});
