import { CommandError } from '../../command-error.js';
import { table } from '../../table.js';
import type { Terminal } from '../../terminal.js';
import { connect } from '../session/connection.js';
import type { ServerOptions } from '../session/connection.js';
import { askSecret, refuseWithoutConsent, readStandardInput } from '../session/prompts.js';

/** The value comes from standard input or a prompt: arguments are seen by every program of the machine. */
export async function setSecret(terminal: Terminal, path: string, server: ServerOptions): Promise<void> {
  const { client } = await connect(server);
  const value = process.stdin.isTTY
    ? await askSecret(terminal, `Value of ${path}:`, 'give the value on standard input')
    : await readStandardInput();
  if (value === '') throw new CommandError('the value is empty; nothing was changed');
  await client.vault.set(path, value);
  terminal.result({ path, set: true }, `Set ${path}. Jobs name it as vault:${path}`);
}

export async function listSecrets(terminal: Terminal, server: ServerOptions): Promise<void> {
  const { client } = await connect(server);
  const secrets = await client.vault.list({ limit: 100 }).all();
  const rows = secrets.map(({ path, created_at, updated_at }) => [
    path,
    terminal.instant(created_at),
    terminal.instant(updated_at),
  ]);
  terminal.result(
    secrets,
    secrets.length === 0
      ? 'There are no secrets.'
      : table(
          terminal,
          [{ heading: 'PATH' }, { heading: 'CREATED', leftOut: 1 }, { heading: 'UPDATED' }],
          rows,
        ),
  );
}

export async function deleteSecret(
  terminal: Terminal,
  path: string,
  { yes, ...server }: ServerOptions & { yes?: boolean },
): Promise<void> {
  const { client } = await connect(server);
  await refuseWithoutConsent(terminal, yes, `Delete ${path} for good?`, 'say --yes to delete it');
  await client.vault.delete(path);
  terminal.result({ path, deleted: true }, `Deleted ${path}.`);
}
