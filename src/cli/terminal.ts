import type { Command } from 'commander';

/** No more often than this does a long command say how far it is. */
const PROGRESS_EVERY_MS = 1_000;

/** Results on standard output, progress and complaints on standard error. */
export class Terminal {
  private progressAt = Date.now();

  constructor(private readonly asJson: boolean) {}

  /** As the options of the command say. */
  static of(command: Command): Terminal {
    return new Terminal(command.optsWithGlobals<{ json?: boolean }>().json === true);
  }

  /** The outcome of a command: one JSON value for programs, or text for people. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.asJson ? JSON.stringify(value) : text}\n`);
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
}

/** Rows of text in columns, the first row their headings. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
