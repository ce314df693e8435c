import { Inject, Injectable, Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../http/index.js';
import type { TenantId } from '../../http/index.js';
import { TimeSlice } from '../../platform/lifecycle/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import { FollowerPlaces } from './follower-places.js';
import type { FollowerPlace } from './follower-places.js';
import { LogEvent } from './log-stream.js';
import { LogRepository } from './log.repository.js';
import type { LogStream } from './log-stream.js';

const POLL_MS = 200;
/** For this long a round waits for lines that are not committed yet. */
const PATIENCE_MS = 500;
/** What one statement of the poll brings into memory, for all streams together. */
const POLL_PAGE = { limit: 2000, maxBytes: 1024 * 1024 };
/** What one statement brings of a history: about as much as a reader may leave unread. */
const PAGE = { limit: 200, maxBytes: 64 * 1024 };
/** Pages of histories in memory at one time, however many begin to follow at once. */
const PAGES_AT_ONCE = 4;
/** For this long a reader may leave unread what it was sent while there is more for it. */
const UNREAD_MS = 30_000;
const HEARTBEAT_MS = 15_000;

/** Who follows logs at this instance: one statement now and then tells all of them, and none runs without them. */
@Injectable()
export class LogFollowers implements BackgroundService {
  readonly name = 'log followers';
  private readonly logger = new Logger(LogFollowers.name);
  /** With what is to be done once nothing of the stream is left. */
  private readonly streams = new Map<LogStream, () => void>();
  private readonly places: FollowerPlaces;
  private readonly reading = pLimit(PAGES_AT_ONCE);
  private polling: Promise<void> | null = null;
  private round: Promise<void> | null = null;
  /** The id up to which the poll has told all lines; null before its first round. */
  private told: bigint | null = null;
  private isStopping = false;

  constructor(
    @Inject(CONFIG) { limits }: Pick<Config, 'limits'>,
    private readonly database: Database,
    private readonly logs: LogRepository,
  ) {
    this.places = new FollowerPlaces(limits.logFollowers);
  }

  async start(): Promise<void> {
    await Promise.resolve();
  }

  /**
   * Takes a place for a stream, before anything is done for it.
   * @throws overloaded, unavailable
   */
  admit(tenantId: TenantId, caller: string): FollowerPlace {
    if (this.isStopping) throw new ServiceError('unavailable');
    return this.places.take(tenantId, caller);
  }

  /**
   * Tells what there is after the stream's position, then what comes, until either side ends it.
   * @param onGone called once nothing of the stream is left, not even what its reader has not read
   */
  async follow(stream: LogStream, onGone: () => void): Promise<void> {
    this.streams.set(stream, onGone);
    if (this.isStopping) {
      stream.close();
      return;
    }
    this.polling ??= this.poll();
    // A round that is under way may have begun without this stream.
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

  /** Tells, no faster than it is read, what the poll has told the others; from then on the poll tells this one too. */
  private async catchUp(stream: LogStream): Promise<void> {
    try {
      while (!stream.isClosed) {
        const { told } = this;
        if (told === null) {
          await wait(POLL_MS);
          continue;
        }
        await this.tellHistory(stream, told);
        // In one step with the comparison: nothing falls between history and news.
        if (told === this.told) {
          stream.caughtUp();
          return;
        }
      }
    } catch (error) {
      this.logger.warn(error, 'the history of logs could not be read');
      stream.close();
    }
  }

  private async tellHistory(stream: LogStream, upTo: bigint): Promise<void> {
    const { tenantId, filter } = stream;
    for (;;) {
      await stream.room();
      if (stream.isClosed) return;
      if (await this.reading(() => this.tellPage(stream, upTo))) break;
    }
    if (filter.runId === null) return;
    // The line that ends it may be one that is not shown, or gone with the run.
    const run = await this.logs.findRun(this.database.reader, tenantId, filter.runId);
    const endedForMs = run === null ? 0 : run.endedForMs;
    if (endedForMs !== null) stream.runHasEnded(endedForMs);
  }

  /** @returns whether it was the last page, and the reader took it */
  private async tellPage(stream: LogStream, upTo: bigint): Promise<boolean> {
    const { tenantId, filter, lastId: after } = stream;
    const { reader } = this.database;
    const { lines, isAll } = await this.logs.list(reader, tenantId, filter, { after, upTo, ...PAGE });
    return stream.tell(lines.map((line) => new LogEvent(line))) && isAll;
  }

  private async poll(): Promise<void> {
    let beatAt = Date.now() + HEARTBEAT_MS;
    while (this.streams.size > 0 && !this.isStopping) {
      this.round = this.tellNews();
      await this.round;
      const now = Date.now();
      if (now >= beatAt) {
        for (const stream of this.streams.keys()) stream.beat();
        beatAt = now + HEARTBEAT_MS;
      }
      this.sweep();
      await wait(POLL_MS);
    }
    // In one step with the last look at the streams: whoever comes from now on begins a poll of its own.
    this.told = null;
    this.polling = null;
  }

  private sweep(): void {
    for (const [stream, onGone] of this.streams) {
      stream.dropIfUnread(UNREAD_MS);
      if (!stream.isGone) continue;
      this.streams.delete(stream);
      onGone();
    }
  }

  private async tellNews(): Promise<void> {
    const beganAt = performance.now();
    try {
      const settled = await this.logs.settled(this.database.reader, PATIENCE_MS);
      if (settled === null) return;
      let told = this.told ?? settled;
      while (told < settled) {
        const tenants = [...new Set([...this.streams.keys()].map(({ tenantId }) => tenantId))];
        const range = { after: told, upTo: settled, ...POLL_PAGE };
        const { lines, isAll } = await this.logs.listOf(this.database.reader, tenants, range);
        const last = isAll ? undefined : lines.at(-1);
        told = last === undefined ? settled : BigInt(last.id);
        // First of all: what catches up while the others are told must not miss these lines.
        this.told = told;
        await this.tellAll(lines.map((line) => new LogEvent(line)));
      }
      this.told = told;
      for (const stream of this.streams.keys()) stream.endIfTold(beganAt);
    } catch (error) {
      this.logger.warn(error, 'new log lines could not be read; tried again');
    }
  }

  private async tellAll(events: readonly LogEvent[]): Promise<void> {
    const slice = new TimeSlice();
    for (const stream of this.streams.keys()) {
      if (!stream.hear(events)) void this.catchUp(stream);
      await slice.yieldIfSpent();
    }
  }
}
