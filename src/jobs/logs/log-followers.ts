import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { TenantId } from '../../platform/http/index.js';
import type { Duty } from '../../platform/lifecycle/index.js';
import type { LogPosition } from './log-line.js';
import { LogRepository } from './log.repository.js';
import { LAST_LINES_MS } from './log-stream.js';
import type { LogStream } from './log-stream.js';

const POLL_MS = 300;
const POLL_LIMIT = 2000;
const PAGE = 500;
const HEARTBEAT_MS = 15_000;
const RECHECK_MS = 5_000;
const MAX_FOLLOWERS = 500;

/** Who follows logs at this instance: one statement now and then tells all of them, and none runs without them. */
@Injectable()
export class LogFollowers implements Duty {
  readonly name = 'log followers';
  private readonly logger = new Logger(LogFollowers.name);
  private readonly streams = new Set<LogStream>();
  private polling: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly logs: LogRepository,
  ) {}

  async start(): Promise<void> {
    await Promise.resolve();
  }

  /** @throws overloaded, unavailable; before the answer has begun */
  demandRoom(): void {
    if (this.isStopping) throw new ServiceError('unavailable');
    if (this.streams.size >= MAX_FOLLOWERS)
      throw new ServiceError('overloaded', {
        message: 'Too many are following logs at this instance; try again after Retry-After seconds.',
        headers: { 'Retry-After': '5' },
      });
  }

  /** Tells what there is after the stream's position, then what comes, until either side ends it. */
  async follow(stream: LogStream, tenantId: TenantId): Promise<void> {
    this.streams.add(stream);
    try {
      // The poll knows the stream and has begun before the history is read: nothing falls between history and news.
      if (this.polling === null) {
        const from = await this.logs.horizon(this.database.reader);
        this.polling ??= this.poll(from);
      }
      while (!stream.isClosed) {
        const { filter, lastPosition } = stream;
        const lines = await this.logs.list(this.database.reader, tenantId, filter, lastPosition, PAGE, true);
        stream.tell(lines);
        if (lines.length < PAGE) break;
      }
      if (stream.filter.runId !== null) {
        const run = await this.logs.findRun(this.database.reader, tenantId, stream.filter.runId);
        if (run?.endedAt != null)
          stream.endAfter({ xid: run.settledAt, notBefore: run.endedAt.getTime() + LAST_LINES_MS });
      }
      stream.caughtUp();
    } catch (error) {
      this.logger.warn(error, 'the history of logs could not be read');
      stream.close();
      this.streams.delete(stream);
    }
  }

  async drain(): Promise<void> {
    this.isStopping = true;
    for (const stream of this.streams) stream.close();
    await this.polling;
  }

  async stop(): Promise<void> {
    await this.drain();
  }

  private async poll(from: LogPosition): Promise<void> {
    let told = from;
    let [beatAt, checkAt] = [Date.now() + HEARTBEAT_MS, Date.now() + RECHECK_MS];
    while (this.streams.size > 0 && !this.isStopping) {
      await wait(POLL_MS);
      const now = Date.now();
      try {
        const tenants = [...new Set([...this.streams].map(({ tenantId }) => tenantId))];
        const found = await this.logs.poll(this.database.reader, tenants, told, POLL_LIMIT);
        told = found.told;
        for (const stream of this.streams) stream.hear(found.lines);
        for (const stream of this.streams) stream.endIfTold(found.told);
      } catch (error) {
        this.logger.warn(error, 'new log lines could not be read; tried again');
      }
      if (now >= beatAt) {
        for (const stream of this.streams) stream.beat();
        beatAt = now + HEARTBEAT_MS;
      }
      if (now >= checkAt) {
        await Promise.all(
          [...this.streams].map((stream) =>
            stream.demandAccess().catch(() => {
              stream.close();
            }),
          ),
        );
        checkAt = now + RECHECK_MS;
      }
      for (const stream of this.streams) if (stream.isClosed) this.streams.delete(stream);
    }
    // In one step with the last look at the streams: whoever comes from now on begins a poll of its own.
    this.polling = null;
  }
}
