import type { ServerResponse } from 'node:http';
import type { TenantId } from '../../http/index.js';
import { matches } from './log-line.js';
import type { LogFilter, LogLine } from './log-line.js';
import { toLogLineDto } from './dto/log.js';

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

/** A reader that leaves this much unread is told no more until it has read that, bytes. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** What a handler printed last may be stored a little after its run's end. */
const LAST_LINES_MS = 1000;

/** One follower: Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class LogStream {
  isClosed: boolean;
  private isCaughtUp = false;
  /** What is stored until then is still told; by `performance.now`. */
  private endsAt: number | null = null;
  /** Since when there is something that the reader has not read; by `performance.now`. */
  private unreadSince: number | null = null;

  constructor(
    private readonly response: ServerResponse,
    readonly tenantId: TenantId,
    readonly filter: LogFilter,
    private position: bigint,
  ) {
    // A reader that has gone already says so no more.
    this.isClosed = response.destroyed;
    response.on('close', () => {
      this.isClosed = true;
    });
    response.on('drain', () => {
      if (!this.isClosed) this.unreadSince = null;
    });
    // A write to a reader that has just gone; its close follows.
    response.on('error', () => undefined);
  }

  /**
   * Whether nothing of it is left: its end was read, or its connection is gone. A response that waits for an earlier
   * one of its connection is not told of the connection's end, so the connection is asked too.
   */
  get isGone(): boolean {
    return this.response.destroyed || this.response.req.socket.destroyed;
  }

  /** The id of the line that was told last. */
  get lastId(): bigint {
    return this.position;
  }

  /** Tells where it begins, so that a reader who is cut off before the first line resumes from there as well. */
  begin(): void {
    this.send(`event: start\nid: ${this.position}\ndata: {}\n\n`);
  }

  /**
   * Lines in order; those that were told already are left out.
   * @returns false when the reader leaves too much unread for the rest of them
   */
  tell(events: readonly LogEvent[]): boolean {
    for (const event of events) {
      const { id, line } = event;
      if (this.isClosed || line.tenantId !== this.tenantId || id <= this.position) continue;
      if (this.response.writableLength > MAX_UNREAD_BYTES) return false;
      this.position = id;
      if (line.endsRun && line.runId === this.filter.runId) this.runHasEnded(0);
      if (matches(this.filter, line)) this.send(event.bytes);
    }
    return true;
  }

  /** News; to a stream that is not caught up they are history. @returns false when it must catch up from now on */
  hear(events: readonly LogEvent[]): boolean {
    if (!this.isCaughtUp) return true;
    this.isCaughtUp = this.tell(events);
    return this.isCaughtUp;
  }

  caughtUp(): void {
    this.isCaughtUp = true;
  }

  /** Waits until the reader has read what it was sent, or the stream is closed. */
  async room(): Promise<void> {
    if (this.isClosed || !this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }

  /** Drops a reader that has left something unread for so long, the end included; it resumes where it was. */
  dropIfUnread(limitMs: number): void {
    if (this.unreadSince === null || performance.now() - this.unreadSince < limitMs) return;
    this.isClosed = true;
    this.response.destroy();
  }

  /** The stream's end comes once all was told. @param forMs for how many milliseconds it has */
  runHasEnded(forMs: number): void {
    // Its time is the database's, whose clock may have been set back since.
    const endsAt = performance.now() + LAST_LINES_MS - Math.min(LAST_LINES_MS, Math.max(0, forMs));
    this.endsAt = Math.min(this.endsAt ?? endsAt, endsAt);
  }

  /** @param at the instant until which all that was stored has been told, by `performance.now` */
  endIfTold(at: number): void {
    if (this.endsAt !== null && this.isCaughtUp && at >= this.endsAt) this.close('end');
  }

  /** A sign of life; who has more to read than that needs none. */
  beat(): void {
    if (!this.response.writableNeedDrain) this.send(': still here\n\n');
  }

  /** @param event sent before: `end` when there will be no more */
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
