import { styleText } from 'node:util';
import type { Command } from 'commander';

/** No more often than this does a long command say how far it is. */
const PROGRESS_EVERY_MS = 1_000;

type Colour = 'green' | 'yellow' | 'red' | 'gray';

/** Results on standard output, progress and complaints on standard error. */
export class Terminal {
  private progressAt = Date.now();

  constructor(readonly asJson: boolean) {}

  /** As the options of the command say. */
  static of(command: Command): Terminal {
    return new Terminal(command.optsWithGlobals<{ json?: boolean }>().json === true);
  }

  /** The outcome of a command: one JSON value for programs, or text for people. Each time, of one that streams. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.asJson ? JSON.stringify(value) : text}\n`);
  }

  /** A line of output that is the same for programs and people. */
  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** Says how far a long command is, now and then. */
  progress(text: string): void {
    if (Date.now() - this.progressAt < PROGRESS_EVERY_MS) return;
    this.progressAt = Date.now();
    process.stderr.write(`${text}\n`);
  }

  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** What is left to do, for people alone. */
  advise(text: string): void {
    if (!this.asJson) this.note(text);
  }

  /** In colour where standard output shows it; see https://no-color.org/. */
  paint(colour: Colour, text: string): string {
    return process.stdout.isTTY && process.stdout.hasColors() ? styleText(colour, text) : text;
  }
}

/**
 * What others wrote, without what would command the terminal (escape sequences, bells, carriage returns) or show it in
 * another order than it is (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters).
 */
export function sanitizeForTerminal(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (character) =>
    '\n\t'.includes(character) ? character : '\u{FFFD}',
  );
}

/** The same in one line. */
export function oneLine(text: string): string {
  return sanitizeForTerminal(text).replaceAll(/\s/g, ' ');
}

/** The same with its lines, of which only the first begins where a line of ours would. */
export function indented(text: string): string {
  return sanitizeForTerminal(text).replaceAll('\n', '\n    ');
}

/** Rows of text in columns, the first row their headings. */
export function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map(oneLine));
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((row) => row[column]?.length ?? 0)),
  );
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names with their values below each other; what has no value is left out. */
export function facts(values: Readonly<Record<string, string | null>>): string {
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${indented(value ?? '')}`).join('\n');
}
