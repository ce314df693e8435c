import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import type { BackgroundService } from '../../platform/lifecycle/index.js';
import { SigningKeyRotation } from './signing-key-rotation.js';
import { rotationDueAt, transitionDueAt } from './signing-key-times.js';
import { SigningKeys } from './signing-keys.js';

/**
 * Changes the states of signing keys when their time has come. The times are known from the rows in memory, so an
 * instance queries the database at those instants, and periodically in case it missed an announcement.
 */
@Injectable()
export class SigningKeySchedule implements BackgroundService {
  readonly name = 'signing keys';
  readonly isNeededToServe = true;
  private readonly logger = new Logger(SigningKeySchedule.name);
  private readonly timing: Config['timing']['keys'];
  private timer: NodeJS.Timeout | undefined;
  private nextCheckAt = 0;
  private hasFailed = false;
  private beat: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly keys: SigningKeys,
    private readonly rotation: SigningKeyRotation,
    @Inject(CONFIG) { timing }: Config,
  ) {
    this.timing = timing.keys;
    // Other instances may publish a key at any time, which may begin to sign before the next check.
    keys.onLoad(() => {
      this.nextCheckAt = Date.now() + timing.keys.scheduleLongestMs;
      if (this.beat === null) this.plan();
    });
  }

  async start(): Promise<void> {
    await this.rotation.ensureFirst();
    await this.rotation.advance();
    await this.keys.reload();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.beat;
  }

  private plan(): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    const dueInMs = this.dueAt === null ? Infinity : this.dueAt.getTime() - this.keys.now.getTime();
    const { scheduleRetryMs, scheduleShortestMs } = this.timing;
    const shortest = this.hasFailed ? scheduleRetryMs : scheduleShortestMs;
    const waitMs = Math.max(Math.min(dueInMs, this.nextCheckAt - Date.now()), shortest);
    this.timer = setTimeout(() => {
      this.beat = this.check().finally(() => {
        this.beat = null;
        this.plan();
      });
    }, waitMs);
  }

  private get dueAt(): Date | null {
    const { entities } = this.keys;
    const times = [transitionDueAt(entities), rotationDueAt(entities, this.rotation.plan)];
    const known = times.filter((time) => time !== null).map((time) => time.getTime());
    return known.length === 0 ? null : new Date(Math.min(...known));
  }

  private async check(): Promise<void> {
    this.nextCheckAt = Date.now() + this.timing.scheduleLongestMs;
    try {
      // Another instance may have been faster; then there is nothing left to write.
      await this.keys.reload();
      const { entities, now } = this.keys;
      const transition = transitionDueAt(entities);
      if (transition !== null && transition <= now) await this.rotation.advance();
      const rotation = rotationDueAt(entities, this.rotation.plan);
      if (rotation !== null && rotation <= now) await this.rotation.rotateWhenDue();
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      this.nextCheckAt = 0;
      this.logger.warn(error, 'could not look after the signing keys; trying again');
    }
  }
}
