import { UnsealError } from '../platform/crypto/index.js';
import type { SealedPlace, SealFormats, KeyRing } from '../platform/crypto/index.js';
import type { Database } from '../platform/database/index.js';
import type { SealedColumn } from './sealed-column.js';
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

/** So long at most the former format opens while it is rewritten: an old `moving` may have been put back. */
const MOVING_MS = 3_600_000;

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
 * Keeps the key ring to the formats of the deployment's phase. The note of the phase is sealed, so that nobody makes
 * one who has the database alone; and where there is none, values of the new format tell that it was taken away.
 */
export class SealPhases {
  private readonly repository = new SealPhaseRepository();
  private phase: SealPhase | null = null;

  constructor(
    private readonly database: Database,
    private readonly keyRing: KeyRing,
    private readonly columns: readonly SealedColumn[],
  ) {}

  /** Reads the phase again, unless it is the last one already. */
  async refresh(): Promise<SealPhase> {
    if (this.phase === 'current') return 'current';
    const noted = await this.repository.find(this.database.reader);
    this.enter(noted === null ? (this.phase ?? (await this.unnoted())) : this.phaseIn(noted));
    return this.phase ?? 'current';
  }

  async advance(phase: Noted['phase']): Promise<void> {
    await this.repository.put(this.database.oneStatement, this.sealed(phase));
    this.enter(phase);
  }

  private async unnoted(): Promise<SealPhase> {
    const columns = this.columns.filter(({ table }) => table !== 'seal_format');
    const used = await this.repository.formatsInUse(this.database.reader, columns);
    if (used.row && !used.tenant) return 'previous';
    await this.repository.putFirst(this.database.oneStatement, this.sealed('current'));
    return 'current';
  }

  private phaseIn(sealed: Buffer): SealPhase {
    try {
      const { phase, at } = JSON.parse(
        this.keyRing.openAs(['tenant'], sealed, sealPhasePlace()).toString('utf8'),
      ) as Noted;
      return phase === 'moving' && Date.now() - at < MOVING_MS ? 'moving' : 'current';
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      return 'current';
    }
  }

  private sealed(phase: Noted['phase']): Buffer {
    return this.keyRing.sealAs('tenant', JSON.stringify({ phase, at: Date.now() }), sealPhasePlace());
  }

  private enter(phase: SealPhase): void {
    this.phase = phase;
    this.keyRing.formats = FORMATS_OF[phase];
  }
}
