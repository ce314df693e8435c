import type { ServerResponse } from 'node:http';
import type { TenantId } from '../../platform/http/index.js';
import { toLogLineDto } from './dto/log.js';
import { matches } from './log-line.js';
import type { LogFilter, LogLine } from './log-line.js';

/** A reader that leaves this much unread is told no more until it has read that, bytes. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** What a handler printed last may be stored a little after its run's end. */
const LAST_LINES_MS = 1000;

/** One follower: Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class LogStream {
  isClosed: boolean;
  private isCaughtUp = false;
  /** What is stored until then is still told; by `performance.now`. */
  private endsAt: number | null = null;

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
    // A write to a reader that has just gone; its close follows.
    response.on('error', () => undefined);
  }

  /** Calls back once the connection has ended, by either side. */
  onClose(listener: () => void): void {
    if (this.response.destroyed) listener();
    else this.response.once('close', listener);
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
  tell(lines: readonly LogLine[]): boolean {
    for (const line of lines) {
      const id = BigInt(line.id);
      if (this.isClosed || line.tenantId !== this.tenantId || id <= this.position) continue;
      if (this.response.writableLength > MAX_UNREAD_BYTES) return false;
      this.position = id;
      if (line.endsRun && line.runId === this.filter.runId) this.runHasEnded(0);
      if (matches(this.filter, line))
        this.send(`id: ${line.id}\ndata: ${JSON.stringify(toLogLineDto(line))}\n\n`);
    }
    return true;
  }

  /** News; to a stream that is not caught up they are history. @returns false when it must catch up from now on */
  hear(lines: readonly LogLine[]): boolean {
    if (!this.isCaughtUp) return true;
    this.isCaughtUp = this.tell(lines);
    return this.isCaughtUp;
  }

  caughtUp(): void {
    this.isCaughtUp = true;
  }

  /** Waits until the reader has read what it was sent. Who has not for so long is dropped; it resumes where it was. */
  async room(limitMs: number): Promise<void> {
    if (this.isClosed || !this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.isClosed = true;
        this.response.destroy();
      }, limitMs).unref();
      const done = (): void => {
        clearTimeout(timer);
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
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

  beat(): void {
    this.send(': still here\n\n');
  }

  /** @param event sent before: `end` when there will be no more */
  close(event?: 'end'): void {
    if (this.isClosed) return;
    if (event !== undefined) this.send(`event: ${event}\ndata: {}\n\n`);
    this.isClosed = true;
    this.response.end();
  }

  private send(text: string): void {
    if (!this.isClosed) this.response.write(text);
  }
}
