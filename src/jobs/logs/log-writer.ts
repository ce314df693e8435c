import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { LogRepository } from './log.repository.js';
import type { PrintedLine } from './log.repository.js';

const BATCH = 500;
/** Lines kept in memory while the database is slow or unavailable; further lines are dropped, which is logged. */
const MAX_WAITING = 20_000;
/** Lines that one worker stores for one run. */
const MAX_LINES_PER_RUN = 10_000;
/** Runs whose lines are counted. The count of a run starts again after lines of this many other runs. */
const COUNTED_RUNS = 10_000;

/** Stores what handlers print, in batches and in the background. */
@Injectable()
export class LogWriter {
  private readonly logger = new Logger(LogWriter.name);
  private readonly counts = new LRUCache<string, number>({ max: COUNTED_RUNS });
  private waiting: PrintedLine[] = [];
  private dropped = 0;
  private timer: NodeJS.Timeout | null = null;
  private writing = Promise.resolve();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly logs: LogRepository,
  ) {}

  write(line: PrintedLine): void {
    const kept = this.counted(line);
    if (kept === null) return;
    if (this.waiting.length >= MAX_WAITING) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(kept);
    this.timer ??= setTimeout(() => void this.flush(), this.config.timing.logs.flushMs);
  }

  /** Stores lines whose sender waits until they are stored, apart from those in memory. @throws if they cannot be stored */
  async store(lines: readonly PrintedLine[]): Promise<void> {
    const kept = lines.flatMap((line) => this.counted(line) ?? []);
    for (let from = 0; from < kept.length; from += BATCH)
      await this.logs.insertLines(this.database.autoCommit, kept.slice(from, from + BATCH));
  }

  /** The line, or what stands for the first line that is too many for its run; null for those after it. */
  private counted(line: PrintedLine): PrintedLine | null {
    const count = (this.counts.get(line.runId) ?? 0) + 1;
    this.counts.set(line.runId, count);
    if (count <= MAX_LINES_PER_RUN) return line;
    if (count > MAX_LINES_PER_RUN + 1) return null;
    return { ...line, level: 'warn', message: `more than ${MAX_LINES_PER_RUN} lines: the rest is not kept` };
  }

  /** Writes the waiting lines, if this run has any. */
  async flushRun(runId: string): Promise<void> {
    if (this.waiting.some((line) => line.runId === runId)) await this.flush();
    else await this.writing;
  }

  /** Flushes run one after the other: two at a time would both write the waiting lines. */
  async flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.writing = this.writing.then(() => this.writeAll());
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        const batch = this.waiting.slice(0, BATCH);
        await this.logs.insertLines(this.database.autoCommit, batch);
        this.waiting = this.waiting.slice(batch.length);
      }
      if (this.dropped > 0)
        this.logger.warn(
          `${this.dropped} lines of handlers are lost: they arrived faster than they could be stored`,
        );
      this.dropped = 0;
    } catch (error) {
      this.logger.warn(error, 'lines of handlers could not be stored and will be tried again');
      this.timer ??= setTimeout(() => void this.flush(), this.config.timing.logs.flushRetryMs);
    }
  }
}
