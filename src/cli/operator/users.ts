import { normalizeEmail } from '../../identity/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { firstRow } from '../../platform/database/index.js';
import type { Database } from '../../platform/database/index.js';
import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal.js';
import { Workbench } from './workbench.js';

/** @param reference address or id */
export async function setDisabled(terminal: Terminal, reference: string, disabled: boolean): Promise<void> {
  await Workbench.use(terminal, async ({ database, userDisabling }) => {
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
