import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { TenantId } from '../../platform/http/index.js';
import type { Duty } from '../../platform/lifecycle/index.js';
import { LogRepository } from './log.repository.js';
import type { LogStream } from './log-stream.js';

const POLL_MS = 200;
/** For this long a round waits for lines that are not committed yet. */
const PATIENCE_MS = 500;
const POLL_LIMIT = 2000;
const PAGE = 200;
/** For this long a reader may leave unread what it was sent while there is more for it. */
const UNREAD_MS = 30_000;
const HEARTBEAT_MS = 15_000;
const MAX_FOLLOWERS = 500;
/** So that no tenant takes the room of all others. */
const MAX_FOLLOWERS_OF_TENANT = 100;

/** Who follows logs at this instance: one statement now and then tells all of them, and none runs without them. */
@Injectable()
export class LogFollowers implements Duty {
  readonly name = 'log followers';
  private readonly logger = new Logger(LogFollowers.name);
  private readonly streams = new Set<LogStream>();
  private polling: Promise<void> | null = null;
  private round: Promise<void> | null = null;
  /** The id up to which the poll has told all lines; null before its first round. */
  private told: bigint | null = null;
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly logs: LogRepository,
  ) {}

  async start(): Promise<void> {
    await Promise.resolve();
  }

  /** @throws overloaded, unavailable; before the answer has begun */
  demandRoom(tenantId: TenantId): void {
    if (this.isStopping) throw new ServiceError('unavailable');
    const ofTenant = [...this.streams].filter((stream) => !stream.isClosed && stream.tenantId === tenantId);
    if (this.streams.size >= MAX_FOLLOWERS || ofTenant.length >= MAX_FOLLOWERS_OF_TENANT)
      throw new ServiceError('overloaded', {
        message: 'Too many are following logs at this instance; try again after Retry-After seconds.',
        headers: { 'Retry-After': '5' },
      });
  }

  /** Tells what there is after the stream's position, then what comes, until either side ends it. */
  async follow(stream: LogStream): Promise<void> {
    if (this.isStopping) {
      stream.close();
      return;
    }
    this.streams.add(stream);
    this.polling ??= this.poll();
    // A round that is under way may have begun without this stream.
    await this.round;
    await this.catchUp(stream);
  }

  async drain(): Promise<void> {
    this.isStopping = true;
    for (const stream of this.streams) stream.close();
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
      await stream.room(UNREAD_MS);
      if (stream.isClosed) return;
      const lines = await this.logs.list(this.database.reader, tenantId, filter, stream.lastId, upTo, PAGE);
      if (stream.tell(lines) && lines.length < PAGE) break;
    }
    if (filter.runId === null) return;
    // The line that ends it may be one that is not shown, or gone with the run.
    const run = await this.logs.findRun(this.database.reader, tenantId, filter.runId);
    const endedForMs = run === null ? 0 : run.endedForMs;
    if (endedForMs !== null) stream.runHasEnded(endedForMs);
  }

  private async poll(): Promise<void> {
    let beatAt = Date.now() + HEARTBEAT_MS;
    while (this.streams.size > 0 && !this.isStopping) {
      this.round = this.tellNews();
      await this.round;
      const now = Date.now();
      if (now >= beatAt) {
        for (const stream of this.streams) stream.beat();
        beatAt = now + HEARTBEAT_MS;
      }
      for (const stream of this.streams) if (stream.isClosed) this.streams.delete(stream);
      await wait(POLL_MS);
    }
    // In one step with the last look at the streams: whoever comes from now on begins a poll of its own.
    this.told = null;
    this.polling = null;
  }

  private async tellNews(): Promise<void> {
    const beganAt = performance.now();
    try {
      const settled = await this.logs.settled(this.database.reader, PATIENCE_MS);
      if (settled === null) return;
      let told = this.told ?? settled;
      while (told < settled) {
        const tenants = [...new Set([...this.streams].map(({ tenantId }) => tenantId))];
        const lines = await this.logs.listOf(this.database.reader, tenants, told, settled, POLL_LIMIT);
        for (const stream of this.streams) if (!stream.hear(lines)) void this.catchUp(stream);
        const last = lines.length === POLL_LIMIT ? lines.at(-1) : undefined;
        told = last === undefined ? settled : BigInt(last.id);
        this.told = told;
      }
      this.told = told;
      for (const stream of this.streams) stream.endIfTold(beganAt);
    } catch (error) {
      this.logger.warn(error, 'new log lines could not be read; tried again');
    }
  }
}
