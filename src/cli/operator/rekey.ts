import { OPERATOR } from '../../audit/index.js';
import { SEALED_COLUMNS } from './sealed-columns.js';
import { asTyped, CommandError } from '../../../servicectl/src/index.js';
import type { Terminal } from '../../../servicectl/src/index.js';
import { ColumnRekey } from './column-rekey.js';
import type { RekeyedColumn } from './column-rekey.js';
import { OperatorContext } from './operator-context.js';

export async function rekey(terminal: Terminal): Promise<void> {
  await OperatorContext.use(terminal, async ({ database, keyRing, audit, chainRekey }) => {
    // First, since what it writes is sealed under the current key at once.
    const chains = await chainRekey.run((moved) => {
      terminal.progress(`audit: ${moved} chains …`);
    });
    const columns: RekeyedColumn[] = [];
    for (const target of SEALED_COLUMNS) {
      const column = new ColumnRekey(database, keyRing, target);
      columns.push(
        await column.run((rewritten) => {
          terminal.progress(`${target.table}: ${rewritten} rewritten …`);
        }),
      );
    }
    const rewritten = columns.reduce((sum, column) => sum + column.rewritten, 0);
    const remaining = columns.reduce((sum, column) => sum + column.remaining, 0);
    if (rewritten > 0 || chains.moved > 0) {
      await audit.appendAlone({
        actor: OPERATOR,
        action: 'data_key.rekeyed',
        target: null,
        tenantId: null,
        userId: null,
        origin: null,
        details: {
          ...Object.fromEntries(columns.map((column) => [column.table, column.rewritten])),
          audit_chains: chains.moved,
        },
      });
    }
    terminal.result(
      { rewritten, columns, audit_chains: chains.moved },
      [
        ...columns.map(({ table, column, rewritten: count }) => `${table}.${column}: ${count} rewritten`),
        `audit chains: ${chains.moved} moved to the current key`,
      ].join('\n'),
    );
    if (remaining > 0) {
      throw new CommandError(
        `${remaining} values are still under another key; name it in identity.data_key_previous, make sure that every ` +
          'instance runs with the new key, then rekey again',
      );
    }
    if (chains.refused.length > 0) {
      throw new CommandError(
        `${chains.refused.length} audit chains do not verify and were not moved to the current data key ` +
          `(${chains.refused.slice(0, 3).join(', ')}); see: ${asTyped('audit verify')}`,
      );
    }
  });
}
