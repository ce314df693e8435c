import { UnsealError } from '../platform/crypto/index.js';
import type { SealedPlace, SealFormats, KeyRing } from '../platform/crypto/index.js';
import type { Database } from '../platform/database/index.js';
import type { SealedColumn } from './seal-phase.repository.js';
import { SealPhaseRepository } from './seal-phase.repository.js';

/**
 * How far a deployment has come from the format `row`, which the first release sealed in, to the format `tenant`:
 *
 * - `previous`: instances of the previous release may run, so that values are written as those read them;
 * - `moving`: `rekey` rewrites; values are written in the new format and open in both;
 * - `current`: the former format opens no more. Where a deployment of this release begins.
 */
export type SealPhase = 'previous' | 'moving' | 'current';

const FORMATS_OF: Readonly<Record<SealPhase, SealFormats>> = {
  previous: { writes: 'row', opens: ['tenant', 'row'] },
  moving: { writes: 'tenant', opens: ['tenant', 'row'] },
  current: { writes: 'tenant', opens: ['tenant'] },
};

interface Noted {
  readonly phase: 'moving' | 'current';
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Where the note of the phase lies. */
export function sealPhasePlace(): SealedPlace {
  return { tenantId: null, table: 'seal_format', column: 'sealed_phase', row: '1' };
}

/**
 * Keeps the key ring to the formats of the deployment's phase. The note of the phase is sealed, so that
 * the database alone is not enough to create one. If it is missing, values of the new format show that it was removed.
 *
 * A note of `moving` counts at any age, since values may be left in the former format until `rekey` notes `current`:
 * refused by its age, it would make them unreadable because a command was interrupted. The price: who has the database
 * alone and kept a note of `moving` can put it back, and instances that start afterwards open copies of former values
 * again, each in its own row but under any tenant. An instance that is at `current` asks no more; the others report
 * the stalled note; `rekey` ends it, and for good does a change of the data key, under which neither copy opens.
 */
export class SealPhases {
  private readonly repository = new SealPhaseRepository();
  private phase: SealPhase | null = null;
  private notedAt = 0;

  constructor(
    private readonly database: Database,
    private readonly keyRing: KeyRing,
    private readonly columns: readonly SealedColumn[],
  ) {}

  /**
   * Since when a `rekey` has got no further that has not come to its end; null when there is none such. It renews the note
   * of `moving` with every batch, so one that is older than this means an interrupted `rekey`.
   */
  stalledSince(stalledMs: number): Date | null {
    return this.phase === 'moving' && Date.now() - this.notedAt >= stalledMs ? new Date(this.notedAt) : null;
  }

  /** Reads the phase again, unless it is the last one already. */
  async refresh(): Promise<SealPhase> {
    if (this.phase === 'current') return 'current';
    const noted = await this.repository.find(this.database.reader);
    this.enter(noted === null ? (this.phase ?? (await this.unnoted())) : this.phaseIn(noted));
    return this.phase ?? 'current';
  }

  /** Whether values may be left in the former format: `rekey` never ran here, or has not come to its end. */
  async isUnfinished(): Promise<boolean> {
    return (await this.refresh()) !== 'current';
  }

  async advance(phase: Noted['phase']): Promise<void> {
    const at = Date.now();
    await this.repository.put(this.database.autoCommit, this.sealed({ phase, at }));
    this.notedAt = at;
    this.enter(phase);
  }

  private async unnoted(): Promise<SealPhase> {
    const columns = this.columns.filter(({ table }) => table !== 'seal_format');
    const used = await this.repository.formatsInUse(this.database.reader, columns);
    if (used.row && !used.tenant) return 'previous';
    await this.repository.putFirst(
      this.database.autoCommit,
      this.sealed({ phase: 'current', at: Date.now() }),
    );
    return 'current';
  }

  private phaseIn(sealed: Buffer): SealPhase {
    try {
      const { phase, at } = JSON.parse(
        this.keyRing.openAs(['tenant'], sealed, sealPhasePlace()).toString('utf8'),
      ) as Noted;
      this.notedAt = at;
      return phase;
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      return 'current';
    }
  }

  private sealed(noted: Noted): Buffer {
    return this.keyRing.sealAs('tenant', JSON.stringify(noted), sealPhasePlace());
  }

  private enter(phase: SealPhase): void {
    this.phase = phase;
    this.keyRing.formats = FORMATS_OF[phase];
  }
}
