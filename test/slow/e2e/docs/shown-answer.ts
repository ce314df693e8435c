/** Kinds of text that are another each time. */
const PASSING: readonly (readonly [shown: RegExp, actual: string])[] = [
  // A word that is cut short by an ellipsis, or an ellipsis alone: whatever the line has there.
  [/[\w.+/=-]*…/y, '[^\\n]*'],
  [
    /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/y,
    '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?Z',
  ],
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/y, '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'],
  [/run_[\dA-Z]{26}/y, 'run_[\\dA-Z]{26}'],
  [/(?<="duration_ms":)\d+/y, '\\d+'],
];

/** What a document shows as an answer, as a pattern of what may come. Ids, instants, durations and `…` are free. */
export function patternOf(shown: string): RegExp {
  let pattern = '';
  for (let at = 0; at < shown.length;) {
    const passing = PASSING.map(([kind, actual]) => {
      kind.lastIndex = at;
      return { length: kind.exec(shown)?.[0].length ?? 0, actual };
    }).find(({ length }) => length > 0);
    pattern += passing?.actual ?? escaped(shown.charAt(at));
    at += passing?.length ?? 1;
  }
  return new RegExp(`^${pattern}$`);
}

function escaped(character: string): string {
  return /[$()*+./?[\\\]^{|}-]/.test(character) ? `\\${character}` : character;
}
