import type { ServerResponse } from 'node:http';
import { toLogLineDto } from './dto/log.js';
import { formatPosition, isAfter, matches } from './log-line.js';
import type { LogFilter, LogLine, LogPosition } from './log-line.js';

/** A reader that leaves this much unread is dropped, bytes; it resumes where it was. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** What a handler printed last may be stored a little after its run's end. */
export const LAST_LINES_MS = 1000;

/** When a run's stream has told everything: all transactions before `xid`, and not before this instant (ms). */
export interface StreamEnd {
  readonly xid: string;
  readonly notBefore: number;
}

/** One follower: Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class LogStream {
  isClosed = false;
  private isCaughtUp = false;
  private ending: StreamEnd | null = null;
  private live: LogLine[] = [];

  constructor(
    private readonly response: ServerResponse,
    readonly tenantId: string,
    readonly filter: LogFilter,
    private position: LogPosition,
    readonly demandAccess: () => Promise<void>,
  ) {
    response.on('close', () => {
      this.isClosed = true;
    });
    // A write to a reader that has just gone; its close follows.
    response.on('error', () => undefined);
  }

  get lastPosition(): LogPosition {
    return this.position;
  }

  /** Tells where it begins, so that a reader who is cut off before the first line resumes from there as well. */
  begin(): void {
    this.send(`event: start\nid: ${formatPosition(this.position)}\ndata: {}\n\n`);
  }

  /** Lines in order; those that were told already are left out. */
  tell(lines: readonly LogLine[]): void {
    for (const line of lines) {
      if (this.isClosed || line.tenantId !== this.tenantId || !isAfter(line, this.position)) continue;
      this.position = line;
      if (line.endsRun && line.runId === this.filter.runId)
        this.endAfter({ xid: line.xid, notBefore: Date.now() + LAST_LINES_MS });
      if (matches(this.filter, line))
        this.send(`id: ${formatPosition(line)}\ndata: ${JSON.stringify(toLogLineDto(line))}\n\n`);
    }
  }

  /** What comes while the history is still read waits for it. */
  hear(lines: readonly LogLine[]): void {
    if (this.isCaughtUp) this.tell(lines);
    else this.live.push(...lines.filter(({ tenantId }) => tenantId === this.tenantId));
  }

  caughtUp(): void {
    this.isCaughtUp = true;
    this.tell(this.live);
    this.live = [];
  }

  /** The run has ended: the stream does, once it was told everything up to there. */
  endAfter(end: StreamEnd): void {
    this.ending ??= end;
  }

  endIfTold(told: LogPosition): void {
    if (this.ending === null || !this.isCaughtUp) return;
    if (BigInt(told.xid) >= BigInt(this.ending.xid) && Date.now() >= this.ending.notBefore) this.close('end');
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
    if (this.isClosed) return;
    this.response.write(text);
    if (this.response.writableLength <= MAX_UNREAD_BYTES) return;
    this.isClosed = true;
    this.response.destroy();
  }
}
