/** Colours and cursor movements of a terminal (ECMA-48): CSI and OSC sequences, and lone escapes. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const ANSI = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g;

/** The text that a terminal would show, in one colour. */
export function withoutAnsi(text: string): string {
  return text.replace(ANSI, '');
}
