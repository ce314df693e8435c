import type { Command } from 'commander';
import { CommandError } from '../command-error.js';
import { withWorkbench } from '../command-context.js';
import { Resealing } from '../resealing.js';
import type { Resealed } from '../resealing.js';
import { SEALED_COLUMNS } from '../sealed-columns.js';

const HELP = `
How to change the data key without stopping:
  1. Put the new key in identity.data_key and the old one in identity.data_key_previous.
  2. Restart every instance with both.
  3. service rekey
  4. Remove identity.data_key_previous and restart.`;

/** `rekey` */
export function addRekeyCommand(program: Command): void {
  program
    .command('rekey')
    .description('Rewrite every sealed value under the current identity.data_key, while the program serves')
    .addHelpText('after', HELP)
    .action((_options: unknown, command: Command) => rekey(command));
}

async function rekey(command: Command): Promise<void> {
  await withWorkbench(command, async ({ database, keyRing, audit }, terminal) => {
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
