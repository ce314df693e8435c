import type { Command } from 'commander';
import { Terminal } from '../terminal.js';

const HELP = `
How to change the data key without stopping:
  1. Put the new key in identity.data_key and the old one in identity.data_key_previous.
  2. Restart every instance with both.
  3. servicectl rekey
  4. Remove identity.data_key_previous and restart.

After an upgrade from a release before 0.1.0: run it once, when every instance runs this release.`;

/** `rekey` */
export function addRekeyCommand(program: Command): void {
  program
    .command('rekey')
    .description(
      'Rewrite every sealed value under the current identity.data_key and in the current format, while the program serves',
    )
    .option(
      '--accept-former-format',
      'also rewrite values that an instance of the previous release has left, wherever they lie now',
    )
    .addHelpText('after', HELP)
    .action(async ({ acceptFormerFormat }: { acceptFormerFormat?: boolean }, command: Command) => {
      const { rekey } = await import('../operator/rekey.js');
      await rekey(Terminal.of(command), acceptFormerFormat === true);
    });
}
