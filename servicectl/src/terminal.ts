import { styleText } from 'node:util';
import type { Command } from 'commander';

/** No more often than this does a long command say how far it is. */
const PROGRESS_EVERY_MS = 1_000;

export type Colour = 'green' | 'yellow' | 'red' | 'cyan' | 'dim' | 'bold';

/** Results on standard output, progress and complaints on standard error. */
export class Terminal {
  private progressAt = Date.now();

  constructor(
    readonly asJson: boolean,
    /** Times for people are in the local time zone otherwise. */
    private readonly inUtc = false,
  ) {}

  /** As the options of the command say. */
  static of(command: Command): Terminal {
    const { json = false, utc = false } = command.optsWithGlobals<{ json?: boolean; utc?: boolean }>();
    return new Terminal(json, utc);
  }

  /** The columns that a line may fill; without end where a file or a program reads. */
  get width(): number {
    return process.stdout.isTTY ? process.stdout.columns : Infinity;
  }

  /** The outcome of a command: one JSON value for programs, or text for people. Each time, of one that streams. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.asJson ? jsonOf(value) : text}\n`);
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

  /** In colour where standard output shows it. */
  paint(colour: Colour, text: string): string {
    return paintFor(process.stdout, colour, text);
  }

  /** An instant of the API for people: `2026-11-21 18:57:46`, or with --utc `2026-11-21 17:57:46Z`. */
  instant(instant: string | null): string {
    return instant === null ? '' : `${this.zoned(instant).slice(0, 19)}${this.inUtc ? 'Z' : ''}`;
  }

  /** The instant of a log line, to the millisecond; on a screen without the date where that is today. */
  lineInstant(instant: string): string {
    const text = this.zoned(instant);
    const isToday = text.slice(0, 10) === this.zoned(new Date().toISOString()).slice(0, 10);
    return `${isToday && process.stdout.isTTY ? text.slice(11) : text}${this.inUtc ? 'Z' : ''}`;
  }

  /** `2026-11-21 18:57:46.123` in the zone of this terminal. */
  private zoned(instant: string): string {
    const at = new Date(instant);
    const shifted = this.inUtc ? at : new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
    return shifted.toISOString().replace('T', ' ').replace('Z', '');
  }
}

let textOfAnswer: (answer: object) => string | undefined = () => undefined;

/**
 * Has answers of a server printed as they came, since a number of theirs may have more digits than one of JavaScript.
 * @param textOf the JSON of an answer in one line, undefined for what is none
 */
export function printAnswersBy(textOf: typeof textOfAnswer): void {
  textOfAnswer = textOf;
}

function jsonOf(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? textOfAnswer(value) : undefined;
  return text ?? JSON.stringify(value);
}

/** In colour where the stream is a terminal that has colours; see https://no-color.org/. */
export function paintFor(stream: NodeJS.WriteStream, colour: Colour, text: string): string {
  return stream.isTTY && stream.hasColors() ? styleText(colour, text, { validateStream: false }) : text;
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

/** The same for text of several lines. Lines after the first are indented, so that none looks like one of ours. */
export function indented(text: string): string {
  return sanitizeForTerminal(text).replaceAll('\n', '\n    ');
}
