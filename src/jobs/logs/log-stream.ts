import type { ServerResponse } from 'node:http';
import type { TenantId } from '../../http/index.js';
import { matches } from './log-line.js';
import type { LogFilter, LogLine } from './log-line.js';
import { toLogLineDto } from './dto/log.js';

/** A line as it is sent to followers: an event of Server-Sent Events, encoded once for all of them. */
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

/** A reader that has this many bytes unread gets no more until it has read them. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** One follower: Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class LogStream {
  isClosed: boolean;
  private isCaughtUp = false;
  /** Lines that are stored until then are still sent; by `performance.now`. */
  private endsAt: number | null = null;
  /** Since when the reader has had unread data; by `performance.now`. */
  private unreadSince: number | null = null;

  constructor(
    private readonly response: ServerResponse,
    readonly tenantId: TenantId,
    readonly filter: LogFilter,
    private position: bigint,
    private readonly lastLinesMs: number,
  ) {
    // A reader that has already disconnected emits no further event.
    this.isClosed = response.destroyed;
    response.on('close', () => {
      this.isClosed = true;
    });
    response.on('drain', () => {
      if (!this.isClosed) this.unreadSince = null;
    });
    // A write to a reader that has just disconnected; its `close` follows.
    response.on('error', () => undefined);
  }

  /**
   * Whether nothing of the stream is left: its end was read, or its connection is closed. A response that waits for an
   * earlier one of the same connection gets no event when the connection closes, so this checks the connection too.
   */
  get isGone(): boolean {
    return this.response.destroyed || this.response.req.socket.destroyed;
  }

  /** The id of the last line that was sent. */
  get lastId(): bigint {
    return this.position;
  }

  /** Sends the start position, so that a reader that is disconnected before the first line can resume from there. */
  begin(): void {
    this.send(`event: start\nid: ${this.position}\ndata: {}\n\n`);
  }

  /**
   * Sends lines in order, except those that were sent before.
   * @returns false when the reader has too much unread to get the rest
   */
  sendLines(events: readonly LogEvent[]): boolean {
    const { response } = this;
    // One chunk, and one system call, for all lines that the reader may have unread.
    response.cork();
    try {
      for (const event of events) {
        const { id, line } = event;
        if (this.isClosed || line.tenantId !== this.tenantId || id <= this.position) continue;
        if (response.writableLength > MAX_UNREAD_BYTES) {
          response.uncork();
          response.cork();
          if (response.writableLength > MAX_UNREAD_BYTES) return false;
        }
        this.position = id;
        if (line.endsRun && line.runId === this.filter.runId) this.runHasEnded(0);
        if (matches(this.filter, line)) this.send(event.bytes);
      }
      return true;
    } finally {
      response.uncork();
    }
  }

  /**
   * Sends new lines. A stream that is still catching up gets them as part of its history.
   * @returns false when the stream has fallen behind and must catch up
   */
  sendNewLines(events: readonly LogEvent[]): boolean {
    if (!this.isCaughtUp) return true;
    this.isCaughtUp = this.sendLines(events);
    return this.isCaughtUp;
  }

  markCaughtUp(): void {
    this.isCaughtUp = true;
  }

  /** Waits until the reader has read what was sent to it, or the stream is closed. */
  async drained(): Promise<void> {
    if (this.isClosed || !this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }

  /** Disconnects a reader that has had unread data, including the end, for this long. It can resume where it was. */
  dropIfUnread(limitMs: number): void {
    if (this.unreadSince === null || performance.now() - this.unreadSince < limitMs) return;
    this.isClosed = true;
    this.response.destroy();
  }

  /**
   * Ends the stream once all lines have been sent. The last lines of a handler may be stored a little after the end of its
   * run. @param forMs how many milliseconds ago the run ended
   */
  runHasEnded(forMs: number): void {
    // The time comes from the database, whose clock may have been set back since.
    const endsAt = performance.now() + this.lastLinesMs - Math.min(this.lastLinesMs, Math.max(0, forMs));
    this.endsAt = Math.min(this.endsAt ?? endsAt, endsAt);
  }

  /** @param at the instant up to which all stored lines have been sent, by `performance.now` */
  endIfDelivered(at: number): void {
    if (this.endsAt !== null && this.isCaughtUp && at >= this.endsAt) this.close('end');
  }

  /** Sends a heartbeat, unless the reader has unread data anyway. */
  beat(): void {
    if (!this.response.writableNeedDrain) this.send(': still here\n\n');
  }

  /** @param event sent first: `end` when there will be no more lines */
  close(event?: 'end'): void {
    if (this.isClosed) return;
    if (event !== undefined) this.send(`event: ${event}\ndata: {}\n\n`);
    this.isClosed = true;
    this.unreadSince ??= performance.now();
    this.response.end();
  }

  private send(data: string | Buffer): void {
    if (!this.isClosed && !this.response.write(data)) this.unreadSince ??= performance.now();
  }
}
