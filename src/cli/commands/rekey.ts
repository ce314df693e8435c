import type { Command } from 'commander';
import { Terminal } from '../terminal.js';

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
    .action(async (_options: unknown, command: Command) => {
      const { rekey } = await import('../operator/rekey.js');
      await rekey(Terminal.of(command));
    });
}
