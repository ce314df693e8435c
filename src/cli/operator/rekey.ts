import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal.js';
import { Resealing } from './resealing.js';
import type { Resealed } from './resealing.js';
import { SEALED_COLUMNS } from './sealed-columns.js';
import { Workbench } from './workbench.js';

export async function rekey(terminal: Terminal): Promise<void> {
  await Workbench.use(terminal, async ({ database, keyRing, audit }) => {
    const columns: Resealed[] = [];
    for (const target of SEALED_COLUMNS) {
      const resealing = new Resealing(database, keyRing, target);
      columns.push(
        await resealing.run((rewritten) => {
          terminal.progress(`${target.table}: ${rewritten} rewritten …`);
        }),
      );
    }
    const rewritten = columns.reduce((sum, column) => sum + column.rewritten, 0);
    if (rewritten > 0) {
      await audit.appendAlone({
        actor: { type: 'operator', id: null },
        action: 'data_key.rekeyed',
        target: null,
        orgId: null,
        userId: null,
        origin: null,
        details: Object.fromEntries(columns.map((column) => [column.table, column.rewritten])),
      });
    }
    terminal.result(
      { rewritten, columns },
      columns
        .map(({ table, column, rewritten: count }) => `${table}.${column}: ${count} rewritten`)
        .join('\n'),
    );
    const remaining = columns.reduce((sum, column) => sum + column.remaining, 0);
    if (remaining > 0) {
      throw new CommandError(
        `${remaining} values are still under another key; name it in identity.data_key_previous, and see to it that ` +
          'every instance runs with the new key, then rekey again',
      );
    }
  });
}
