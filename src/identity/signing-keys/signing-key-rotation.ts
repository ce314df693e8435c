import { Inject, Injectable } from '@nestjs/common';
import { SYSTEM, AuditTrail } from '../../audit/index.js';
import type { AuditContext } from '../../audit/index.js';
import { CacheInvalidation } from '../../cache-invalidation/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { KeyRing } from '../../platform/crypto/index.js';
import { afterCommit, Database, SerialByKey } from '../../platform/database/index.js';
import type { Tx } from '../../platform/database/index.js';
import { mintSigningKey } from './signing-key-pair.js';
import { rotationDueAt } from './signing-key-times.js';
import type { RotationPlan } from './signing-key-times.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import type { SigningKeyEntity } from './signing-key.repository.js';
import { SigningKeys } from './signing-keys.js';

/** Which key signs now, and which one waits. */
export interface Rotated {
  readonly active: SigningKeyEntity;
  readonly next: SigningKeyEntity | null;
}

const BY_TIME: AuditContext = { actor: SYSTEM, origin: null };

/**
 * Moves signing keys through their states (contract section 5). All instances may try at the same time: the changes
 * happen under one database lock, each with its audit entry, and are announced to every instance.
 */
@Injectable()
export class SigningKeyRotation {
  private readonly serial = new SerialByKey();
  readonly plan: RotationPlan;
  /** From the end of its signing, the longest that a token of a key lives, and the lead again. */
  private readonly keepSecs: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly database: Database,
    private readonly repository: SigningKeyRepository,
    private readonly keys: SigningKeys,
    private readonly keyRing: KeyRing,
    private readonly audit: AuditTrail,
    private readonly changes: CacheInvalidation,
  ) {
    const { keyRotationDays, keyPublishLeadSecs, accessTtlSecs } = config.identity;
    this.plan = { rotationDays: keyRotationDays, leadSecs: keyPublishLeadSecs };
    this.keepSecs = accessTtlSecs + keyPublishLeadSecs;
  }

  /** Creates the first key of a deployment unless another instance did. */
  async ensureFirst(): Promise<void> {
    const found = await this.repository.inUse(this.database.reader);
    if (found.some((key) => key.state === 'active')) return;
    const minted = await mintSigningKey(this.keyRing);
    await this.change(BY_TIME, async (tx, record) => {
      const existing = await this.repository.inUse(tx);
      if (existing.some((key) => key.state === 'active')) return;
      await this.repository.insertActive(tx, minted);
      await record('activated', [minted]);
    });
  }

  /** Publishes the key that will sign after the lead time, unless one is already waiting. */
  async rotate(by: AuditContext): Promise<Rotated> {
    return await this.serial.run('rotation', () => this.publishNext(by, () => true));
  }

  /** As `rotate`, if the active key has reached its age. */
  async rotateWhenDue(): Promise<void> {
    await this.serial.run('rotation', () =>
      this.publishNext(BY_TIME, (keys, now) => {
        const dueAt = rotationDueAt(keys, this.plan);
        return dueAt !== null && dueAt <= now;
      }),
    );
  }

  /**
   * For a leaked key: immediately retires every key that has signed, so that its tokens are refused from now on. The
   * waiting key signs, or a new one if none is waiting.
   */
  async rotateImmediately(by: AuditContext): Promise<Rotated> {
    return await this.serial.run('rotation', async () => {
      const waiting = (await this.repository.inUse(this.database.reader)).some((key) => key.state === 'next');
      const spare = waiting ? null : await mintSigningKey(this.keyRing);
      return await this.change(by, async (tx, record) => {
        await record('retired', await this.repository.retireAllThatSigned(tx), { immediate: true });
        const promoted = await this.repository.activateNext(tx);
        await record('activated', promoted, { immediate: true });
        if (promoted.length === 0) {
          const minted = spare ?? (await mintSigningKey(this.keyRing));
          await this.repository.insertActive(tx, minted);
          await record('activated', [minted], { immediate: true });
        }
        return await this.outcome(tx);
      });
    });
  }

  /** Writes the changes of state that are due by time. Idempotent. */
  async advance(): Promise<void> {
    await this.change(BY_TIME, () => Promise.resolve());
  }

  private async publishNext(
    by: AuditContext,
    isWanted: (keys: readonly SigningKeyEntity[], now: Date) => boolean,
  ): Promise<Rotated> {
    const waiting = (await this.repository.inUse(this.database.reader)).find((key) => key.state === 'next');
    const spare = waiting === undefined ? await mintSigningKey(this.keyRing) : null;
    return await this.change(by, async (tx, record) => {
      const keys = await this.repository.inUse(tx);
      const hasNext = keys.some((key) => key.state === 'next');
      if (!hasNext && isWanted(keys, await this.repository.now(tx))) {
        const minted = spare ?? (await mintSigningKey(this.keyRing));
        await this.repository.insertNext(tx, minted, this.plan.leadSecs);
        await record('published', [minted]);
      }
      return await this.outcome(tx);
    });
  }

  /** One transaction under the rotation lock. It begins with the changes that are due by time. */
  private async change<Result>(
    by: AuditContext,
    work: (tx: Tx, record: Recorder) => Promise<Result>,
  ): Promise<Result> {
    return await this.database.transaction(async (tx) => {
      await this.repository.lockRotation(tx);
      const changed: string[] = [];
      const recorder =
        (by: AuditContext): Recorder =>
        async (step, moved, details = {}) => {
          for (const { kid } of moved) {
            changed.push(kid);
            await this.record(tx, by, step, kid, details);
          }
        };
      await this.advanceIn(tx, recorder(BY_TIME));
      const result = await work(tx, recorder(by));
      if (changed.length > 0) await this.changes.announce(tx, { kind: 'signing_keys', id: '*' });
      // The announcement reaches this instance too, but possibly after the response.
      afterCommit(tx, () => (changed.length > 0 && this.keys.areLoaded ? this.keys.refresh() : undefined));
      return result;
    });
  }

  private async advanceIn(tx: Tx, record: Recorder): Promise<void> {
    if (await this.repository.nextIsDue(tx)) {
      await record('retiring', await this.repository.startRetiring(tx, this.keepSecs, this.plan.leadSecs));
      await record('activated', await this.repository.activateNext(tx));
    }
    await record('retired', await this.repository.retireDue(tx));
  }

  private async outcome(tx: Tx): Promise<Rotated> {
    const keys = await this.repository.inUse(tx);
    const active = keys.find((key) => key.state === 'active');
    if (active === undefined)
      throw new Error('this database has no signing key yet; start the service once, then rotate');
    return { active, next: keys.find((key) => key.state === 'next') ?? null };
  }

  private async record(
    tx: Tx,
    { actor, origin }: AuditContext,
    step: RotationStep,
    kid: string,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.audit.append(tx, {
      actor,
      action: `signing_key.${step}`,
      target: { type: 'signing_key', id: kid },
      tenantId: null,
      userId: null,
      origin,
      details,
    });
  }
}

type RotationStep = 'published' | 'activated' | 'retiring' | 'retired';

type Recorder = (
  step: RotationStep,
  moved: readonly { readonly kid: string }[],
  details?: Readonly<Record<string, unknown>>,
) => Promise<void>;
