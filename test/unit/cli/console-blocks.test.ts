import { alike, stepsOf, withSteps } from '../../slow/e2e/cli/console-blocks.js';

const DOCUMENT =
  'Text\n\n```console\n$ one\nfirst\n$ two\n```\n\n```sh\n$ no\n```\n\n```console\n$ three\na\n\nb\n```\n';

describe('the commands of a document', () => {
  it('are those of its console blocks, with what they print', () => {
    expect(stepsOf(DOCUMENT)).toEqual([
      { command: 'one', output: 'first' },
      { command: 'two', output: '' },
      { command: 'three', output: 'a\n\nb' },
    ]);
  });

  it('can be replaced, and everything else stays', () => {
    expect(withSteps(DOCUMENT, stepsOf(DOCUMENT))).toBe(DOCUMENT);
    const [one, , three] = stepsOf(DOCUMENT);
    const anew = [one, { command: 'two', output: 'second' }, three].flatMap((step) => step ?? []);
    expect(withSteps(DOCUMENT, anew)).toBe(DOCUMENT.replace('$ two\n', '$ two\nsecond\n'));
  });

  it('are compared but for what differs each time', () => {
    const first =
      'run_01M7ZM3BAFEQ9AKVQ47B68P4PT done in 1.6 s\n2026-11-21 17:57:36.746 info  b\n2026-11-21 17:57:36.801 info  a\nx';
    const second =
      'run_01M7ZM3JG0FW7ADHHFRM76R4CF done in 20 ms\n2026-11-22 17:57:36.746 info  a\n2026-11-22 17:57:36.801 info  b\nx';
    expect(alike(first)).toBe(alike(second));
    expect(alike(first)).not.toBe(alike(second.replace('info  b', 'warn  b')));
    // A time of day is no date with a time, and seconds are no milliseconds.
    const [instant, ofDay] = ['2026-11-21 17:57:36.746 info  a', '17:57:36.746 info  a'];
    const forms = [
      instant,
      ofDay,
      '17:57:36 info  a',
      `${ofDay.slice(0, 12)}Z info  a`,
      instant.replace(' ', 'T'),
    ];
    expect(new Set(forms.map(alike)).size).toBe(forms.length);
    expect(alike(ofDay)).toBe(alike('08:00:01.002 info  a'));
    expect(alike('a  b\n')).not.toBe(alike('b  a\n'));
  });
});
