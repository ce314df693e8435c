import type { Command } from 'commander';
import { normalizeEmail } from '../../identity/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { firstRow } from '../../platform/database/index.js';
import type { Database } from '../../platform/database/index.js';
import { CommandError } from '../command-error.js';
import { withWorkbench } from '../command-context.js';

/** `users disable`, `users enable` */
export function addUsersCommands(program: Command): void {
  const users = program.command('users').description('Accounts');
  users
    .command('disable')
    .description('End every session of a user, and refuse sign-in and access tokens')
    .argument('<email|id>', 'whom')
    .action((reference: string, _options: unknown, command: Command) =>
      setDisabled(command, reference, true),
    );
  users
    .command('enable')
    .description('Let a disabled user sign in again')
    .argument('<email|id>', 'whom')
    .action((reference: string, _options: unknown, command: Command) =>
      setDisabled(command, reference, false),
    );
}

async function setDisabled(command: Command, reference: string, disabled: boolean): Promise<void> {
  await withWorkbench(command, async ({ database, userDisabling }, terminal) => {
    const user = await userDisabling.setDisabled(await userId(database, reference), disabled, null);
    terminal.result(
      {
        id: user.id,
        email: user.email,
        disabled: user.disabledAt !== null,
        disabled_at: user.disabledAt?.toISOString() ?? null,
      },
      `${user.email} is ${disabled ? 'disabled' : 'enabled'}.`,
    );
  });
}

async function userId(database: Database, reference: string): Promise<string> {
  if (isUuid(reference)) return reference;
  const found = await firstRow<{ id: string }>(database.reader, 'SELECT id FROM users WHERE email = $1', [
    normalizeEmail(reference),
  ]);
  if (found === null) throw new CommandError(`there is no user with the address ${reference}`);
  return found.id;
}
