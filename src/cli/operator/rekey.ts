import { setTimeout as wait } from 'node:timers/promises';
import { OPERATOR } from '../../audit/index.js';
import type { SealFormat } from '../../platform/crypto/index.js';
import type { SealPhases } from '../../sealing/index.js';
import { SEALED_COLUMNS } from '../../sealed-columns.js';
import { asTyped } from '../environment.js';
import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal.js';
import { Resealing } from './resealing.js';
import type { Resealed } from './resealing.js';
import { OperatorContext } from './operator-context.js';

/** Instances ask for a new phase at an interval, and may be slow: how many of these until every one has heard of it. */
const HEARINGS = 3;

/** @param opensFormer whether values in the format of the previous release are rewritten even once none should be left */
export async function rekey(terminal: Terminal, opensFormer: boolean): Promise<void> {
  await OperatorContext.use(terminal, async (context) => {
    const { database, keyRing, audit, chainSealing, sealPhases } = context;
    const { phaseMs } = context.config.timing.sealing;
    const isMoving = await beginMoving(sealPhases, terminal, HEARINGS * phaseMs);
    const opens: SealFormat[] = isMoving || opensFormer ? ['tenant', 'row'] : ['tenant'];
    // What is left to do stays known however far this comes, and instances tell it from one that broke off.
    const report = async (line: string): Promise<void> => {
      terminal.progress(line);
      if (isMoving) await sealPhases.advance('moving');
    };
    // First, since what it writes is sealed under the current key at once.
    const chains = await chainSealing.moveToCurrentKey((done) => report(`audit: ${done} chains …`));
    const columns: Resealed[] = [];
    for (const target of SEALED_COLUMNS) {
      const resealing = new Resealing(database, keyRing, target, opens);
      columns.push(await resealing.run((rewritten) => report(`${target.table}: ${rewritten} rewritten …`)));
    }
    const rewritten = columns.reduce((sum, column) => sum + column.rewritten, 0);
    const remaining = columns.reduce((sum, column) => sum + column.remaining, 0);
    if (isMoving && remaining === 0) await sealPhases.advance('current');
    if (rewritten > 0 || chains.sealed > 0) {
      await audit.appendAlone({
        actor: OPERATOR,
        action: 'data_key.rekeyed',
        target: null,
        orgId: null,
        userId: null,
        origin: null,
        details: {
          ...Object.fromEntries(columns.map((column) => [column.table, column.rewritten])),
          audit_chains: chains.sealed,
        },
      });
    }
    terminal.result(
      { rewritten, columns, audit_chains: chains.sealed },
      [
        ...columns.map(({ table, column, rewritten: count }) => `${table}.${column}: ${count} rewritten`),
        `audit chains: ${chains.sealed} moved to the current key`,
      ].join('\n'),
    );
    if (remaining > 0) throw new CommandError(leftBehind(remaining));
    if (chains.refused.length > 0) {
      throw new CommandError(
        `${chains.refused.length} audit chains do not verify and were not moved to the current data key ` +
          `(${chains.refused.slice(0, 3).join(', ')}); see: ${asTyped('audit verify')}`,
      );
    }
  });
}

function leftBehind(count: number): string {
  return (
    `${count} values are still under another key or in the format of the previous release; name the key in ` +
    'identity.data_key_previous, and see to it that every instance runs this release with the new key, then rekey again; ' +
    'values that an instance of the previous release wrote after a finished rekey are rewritten by: ' +
    asTyped('rekey --accept-former-format')
  );
}

/**
 * Has every instance write the current format, where a deployment comes from the former one; once more after a rekey
 * that was interrupted, however long ago.
 */
async function beginMoving(phases: SealPhases, terminal: Terminal, waitMs: number): Promise<boolean> {
  if (!(await phases.isUnfinished())) return false;
  await phases.advance('moving');
  terminal.advise('waiting until every instance writes the current format …');
  await wait(waitMs);
  return true;
}
