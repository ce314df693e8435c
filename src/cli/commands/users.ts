import type { Command } from 'commander';
import { Terminal } from '../terminal.js';

/** `users disable`, `users enable` */
export function addUsersCommands(program: Command): void {
  const users = program.command('users').description('Accounts');
  const change = async (command: Command, reference: string, disabled: boolean): Promise<void> => {
    const { setDisabled } = await import('../operator/users.js');
    await setDisabled(Terminal.of(command), reference, disabled);
  };
  users
    .command('disable')
    .description('End every session of a user, and refuse sign-in and access tokens')
    .argument('<email|id>', 'whom')
    .action((reference: string, _options: unknown, command: Command) => change(command, reference, true));
  users
    .command('enable')
    .description('Let a disabled user sign in again')
    .argument('<email|id>', 'whom')
    .action((reference: string, _options: unknown, command: Command) => change(command, reference, false));
}
