import type { Command } from 'commander';
import { Terminal } from '../terminal.js';
import { addHelpCommand } from './help.js';

/** `keys list`, `keys rotate` */
export function addKeysCommands(program: Command): void {
  const keys = program.command('keys').description('The keys that sign access tokens');
  addHelpCommand(keys);
  keys
    .command('list')
    .description("Show the signing keys and their states, newest first; of projects, each one's key")
    .action(async (_options: unknown, command: Command) => {
      const { listKeys } = await import('../operator/keys.js');
      await listKeys(Terminal.of(command));
    });
  keys
    .command('rotate')
    .description('Publish the next signing key; it signs after identity.key_publish_lead_secs')
    .option('--immediate', 'for a leaked key: retire now whatever has signed, and sign with a new key')
    .addHelpText('after', '\nWhile a next key waits, that one is shown; --immediate promotes it.')
    .action(async (options: { immediate?: boolean }, command: Command) => {
      const { rotateKeys } = await import('../operator/keys.js');
      await rotateKeys(Terminal.of(command), options.immediate === true);
    });
}
