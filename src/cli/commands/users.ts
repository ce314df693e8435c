import type { Command } from 'commander';
import type { Whom } from '../operator/users.js';
import { Terminal } from '../terminal.js';
import { addHelpCommand } from './help.js';

const IN_PROJECT = ['--project <ref>', 'of which project, when an address is in several'] as const;

/** `users disable`, `users enable` */
export function addUsersCommands(program: Command): void {
  const users = program.command('users').description('Accounts');
  addHelpCommand(users);
  const change = async (command: Command, whom: Whom, disabled: boolean): Promise<void> => {
    const { setDisabled } = await import('../operator/users.js');
    await setDisabled(Terminal.of(command), whom, disabled);
  };
  users
    .command('disable')
    .description('End every session of a user, and refuse sign-in and access tokens')
    .argument('<email|id>', 'whom')
    .option(...IN_PROJECT)
    .action((reference: string, { project }: { project?: string }, command: Command) =>
      change(command, { reference, project }, true),
    );
  users
    .command('enable')
    .description('Let a disabled user sign in again')
    .argument('<email|id>', 'whom')
    .option(...IN_PROJECT)
    .action((reference: string, { project }: { project?: string }, command: Command) =>
      change(command, { reference, project }, false),
    );
}
