import { OPERATOR } from '../../audit/index.js';
import { normalizeEmail } from '../../identity/index.js';
import { isUuid } from '../../platform/crypto/index.js';
import { rows } from '../../platform/database/index.js';
import type { Database } from '../../platform/database/index.js';
import { CommandError } from '../../../servicectl/src/index.js';
import type { Terminal } from '../../../servicectl/src/index.js';
import { OperatorContext } from './operator-context.js';

/** Whom a command is about. */
export interface Whom {
  /** Address or id. */
  readonly reference: string;
  /** The ref of a project; in the organization profile there is none. */
  readonly project: string | undefined;
}

export async function setDisabled(terminal: Terminal, whom: Whom, disabled: boolean): Promise<void> {
  await OperatorContext.use(terminal, async ({ database, userDisabling }) => {
    const by = { actor: OPERATOR, origin: null };
    const user = await userDisabling.setDisabled(await userId(database, whom), disabled, by);
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

/** An id is of one user wherever they are; an address may have an account in each of several projects. */
async function userId(database: Database, { reference, project }: Whom): Promise<string> {
  if (isUuid(reference)) return reference;
  const found = await rows<{ id: string }>(
    database.reader,
    `SELECT id FROM users
     WHERE email = $1 AND ($2::text IS NULL OR realm_id = (SELECT id FROM projects WHERE ref = $2)) LIMIT 2`,
    [normalizeEmail(reference), project ?? null],
  );
  const [user] = found;
  if (user === undefined) throw new CommandError(`there is no user with the address ${reference}`);
  if (found.length > 1)
    throw new CommandError(`${reference} has an account in more than one project; name one with --project`);
  return user.id;
}
