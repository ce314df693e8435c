import { facts, table } from '../../table.js';
import type { Terminal } from '../../terminal.js';
import type { ServerOptions } from '../session/connection.js';
import { connectToOrganization } from './organization.js';
import { refuseWithoutConsent } from '../session/prompts.js';

const COLUMNS = [
  { heading: 'ROLE', shortens: true },
  { heading: 'KIND' },
  { heading: 'PERMISSIONS', shortens: true },
] as const;

export async function listRoles(terminal: Terminal, server: ServerOptions): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const roles = await client.roles.list({ org, limit: 100 }).all();
  const rows = roles.map(({ name, builtin, permissions }) => [
    name,
    builtin ? ({ text: 'built-in', colour: 'dim' } as const) : 'custom',
    permissions.join(' '),
  ]);
  terminal.result(roles, table(terminal, COLUMNS, rows));
}

export async function showRole(terminal: Terminal, name: string, server: ServerOptions): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const role = await client.roles.get(name, { org });
  terminal.result(
    role,
    facts(terminal, {
      Role: { text: role.name, colour: 'bold' },
      Kind: role.builtin ? 'built-in' : 'custom',
      Permissions: role.permissions.join('\n') || 'none',
    }),
  );
}

/** Makes a role, or gives the role of that name other permissions. */
export async function setRole(
  terminal: Terminal,
  name: string,
  permissions: readonly string[],
  { isNew, ...server }: ServerOptions & { isNew: boolean },
): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const wanted = { permissions: [...permissions] };
  const role = isNew
    ? await client.roles.create({ name, ...wanted }, { org })
    : await client.roles.update(name, wanted, { org });
  terminal.result(
    role,
    `${isNew ? 'Made' : 'Changed'} the role ${role.name}: ${role.permissions.join(' ') || 'no permissions'}`,
  );
}

export async function deleteRole(
  terminal: Terminal,
  name: string,
  { yes, ...server }: ServerOptions & { yes?: boolean },
): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  await refuseWithoutConsent(terminal, yes, `Delete the role ${name}?`, 'say --yes to delete it');
  await client.roles.delete(name, { org });
  terminal.result({ name, deleted: true }, `Deleted the role ${name}.`);
}
