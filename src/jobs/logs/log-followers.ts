import { Inject, Injectable, Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import { ConcurrencyLimit } from '../../limits/index.js';
import type { Permit } from '../../limits/index.js';
import { TimeSlice } from '../../platform/lifecycle/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import { LogEvent } from './log-stream.js';
import { LogRepository } from './log.repository.js';
import type { LogStream } from './log-stream.js';

/** Streams at an instance. */
const MAX_FOLLOWERS = 500;
/** How much one statement of the poll reads into memory, for all streams together. */
const POLL_PAGE = { limit: 2000, maxBytes: 1024 * 1024 };
/** How much of a history one statement reads: about as much as a reader may have unread. */
const PAGE = { limit: 200, maxBytes: 64 * 1024 };
/** Pages of histories in memory at a time, however many streams start at once. */
const PAGES_AT_ONCE = 4;

/** The streams of logs at this instance. One polling statement serves all of them, and none runs without streams. */
@Injectable()
export class LogFollowers implements BackgroundService {
  readonly name = 'log followers';
  private readonly logger = new Logger(LogFollowers.name);
  /** Each stream with the callback for when nothing of it is left. */
  private readonly streams = new Map<LogStream, () => void>();
  private readonly concurrency: ConcurrencyLimit;
  private readonly reading = pLimit(PAGES_AT_ONCE);
  private polling: Promise<void> | null = null;
  private round: Promise<void> | null = null;
  /** The id up to which the poll has sent all lines; null before its first round. */
  private sentUpTo: bigint | null = null;
  private isStopping = false;
  readonly timing: Config['timing']['logs'];

  constructor(
    @Inject(CONFIG) { limits, timing }: Pick<Config, 'limits' | 'timing'>,
    private readonly database: Database,
    private readonly logs: LogRepository,
  ) {
    this.timing = timing.logs;
    this.concurrency = new ConcurrencyLimit({
      setting: 'log_followers',
      perTenant: limits.logFollowers,
      perInstance: MAX_FOLLOWERS,
    });
  }

  async start(): Promise<void> {
    await Promise.resolve();
  }

  /**
   * Acquires a permit for a stream. Call it before any work for the stream.
   * @throws rate_limited, overloaded, unavailable
   */
  acquirePermit(tenantId: TenantId, caller: string): Permit {
    if (this.isStopping) throw new ServiceError('unavailable');
    return this.concurrency.acquire(tenantId, caller);
  }

  /**
   * Sends the stored lines after the stream's position and then new lines, until either side closes the stream.
   * @param onGone called once nothing of the stream is left, including unread data
   */
  async follow(stream: LogStream, onGone: () => void): Promise<void> {
    this.streams.set(stream, onGone);
    if (this.isStopping) {
      stream.close();
      return;
    }
    this.polling ??= this.poll();
    // A round in progress may have started without this stream.
    await this.round;
    await this.catchUp(stream);
  }

  async drain(): Promise<void> {
    this.isStopping = true;
    for (const stream of this.streams.keys()) stream.close();
    await this.polling;
  }

  async stop(): Promise<void> {
    await this.drain();
  }

  /** Sends, no faster than the reader reads, what the poll has sent to the others. Then the poll serves this stream too. */
  private async catchUp(stream: LogStream): Promise<void> {
    try {
      while (!stream.isClosed) {
        const { sentUpTo } = this;
        if (sentUpTo === null) {
          await wait(this.timing.pollMs);
          continue;
        }
        await this.sendHistory(stream, sentUpTo);
        // No await between the comparison and the mark, so no line is lost between the history and the new lines.
        if (sentUpTo === this.sentUpTo) {
          stream.markCaughtUp();
          return;
        }
      }
    } catch (error) {
      this.logger.warn(error, 'the history of logs could not be read');
      stream.close();
    }
  }

  private async sendHistory(stream: LogStream, upTo: bigint): Promise<void> {
    const { tenantId, filter } = stream;
    for (;;) {
      await stream.drained();
      if (stream.isClosed) return;
      if (await this.reading(() => this.sendHistoryPage(stream, upTo))) break;
    }
    if (filter.runId === null) return;
    // The line that ends the run may be filtered out, or deleted with the run.
    const run = await this.logs.findRun(this.database.reader, tenantId, filter.runId);
    const endedForMs = run === null ? 0 : run.endedForMs;
    if (endedForMs !== null) stream.runHasEnded(endedForMs);
  }

  /** @returns whether it was the last page and was sent completely */
  private async sendHistoryPage(stream: LogStream, upTo: bigint): Promise<boolean> {
    const { tenantId, filter, lastId: after } = stream;
    const { reader } = this.database;
    const { lines, isAll } = await this.logs.list(reader, tenantId, filter, { after, upTo, ...PAGE });
    return stream.sendLines(lines.map((line) => new LogEvent(line))) && isAll;
  }

  private async poll(): Promise<void> {
    const { heartbeatMs, pollMs } = this.timing;
    let beatAt = Date.now() + heartbeatMs;
    while (this.streams.size > 0 && !this.isStopping) {
      this.round = this.sendNewLines();
      await this.round;
      const now = Date.now();
      if (now >= beatAt) {
        for (const stream of this.streams.keys()) stream.beat();
        beatAt = now + heartbeatMs;
      }
      this.sweep();
      await wait(pollMs);
    }
    // No await since the last check of the streams: a stream that is added from now on starts a new poll.
    this.sentUpTo = null;
    this.polling = null;
  }

  private sweep(): void {
    for (const [stream, onGone] of this.streams) {
      stream.dropIfUnread(this.timing.unreadMs);
      if (!stream.isGone) continue;
      this.streams.delete(stream);
      onGone();
    }
  }

  private async sendNewLines(): Promise<void> {
    const beganAt = performance.now();
    try {
      const settled = await this.logs.settled(this.database.reader, this.timing.patienceMs);
      if (settled === null) return;
      let sentUpTo = this.sentUpTo ?? settled;
      while (sentUpTo < settled) {
        const tenants = [...new Set([...this.streams.keys()].map(({ tenantId }) => tenantId))];
        const range = { after: sentUpTo, upTo: settled, ...POLL_PAGE };
        const { lines, isAll } = await this.logs.listOf(this.database.reader, tenants, range);
        const last = isAll ? undefined : lines.at(-1);
        sentUpTo = last === undefined ? settled : BigInt(last.id);
        // Before sending: a stream that catches up in the meantime must not miss these lines.
        this.sentUpTo = sentUpTo;
        await this.sendToAll(lines.map((line) => new LogEvent(line)));
      }
      this.sentUpTo = sentUpTo;
      for (const stream of this.streams.keys()) stream.endIfDelivered(beganAt);
    } catch (error) {
      this.logger.warn(error, 'new log lines could not be read and will be tried again');
    }
  }

  private async sendToAll(events: readonly LogEvent[]): Promise<void> {
    const slice = new TimeSlice();
    for (const stream of this.streams.keys()) {
      if (!stream.sendNewLines(events)) void this.catchUp(stream);
      await slice.yieldIfSpent();
    }
  }
}
