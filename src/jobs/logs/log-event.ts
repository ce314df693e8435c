import { toLogLineDto } from './dto/log.js';
import type { LogLine } from './log-line.js';

/** A line as followers are sent it: an event of Server-Sent Events, encoded once for all of them. */
export class LogEvent {
  readonly id: bigint;
  private encoded: Buffer | null = null;

  constructor(readonly line: LogLine) {
    this.id = BigInt(line.id);
  }

  get bytes(): Buffer {
    this.encoded ??= Buffer.from(
      `id: ${this.line.id}\ndata: ${JSON.stringify(toLogLineDto(this.line))}\n\n`,
      'utf8',
    );
    return this.encoded;
  }
}
