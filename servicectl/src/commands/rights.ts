import type { Command } from 'commander';
import type { ServerOptions } from '../caller/session/connection.js';
import { Terminal } from '../terminal.js';
import { future, onServer, withExamples } from './arguments.js';
import { addListCommand } from './help.js';

type Consented = ServerOptions & { readonly yes?: boolean };

const YES = ['-y, --yes', 'do not ask'] as const;

/** `roles`, `api-keys`: what members and programs may do in the organization */
export function addRightsCommands(program: Command): void {
  addRoles(program);
  addApiKeys(program);
}

function addRoles(program: Command): void {
  const roles = withExamples(
    program.command('roles').description('Roles of the organization'),
    'servicectl roles',
    "servicectl roles create support 'data:orders:read' 'jobs:runs:read'",
    'servicectl roles show support',
  );
  onServer(addListCommand(roles).description('Show the roles with their permissions')).action(
    async (server: ServerOptions, command: Command) => {
      const { listRoles } = await import('../caller/organization/roles.js');
      await listRoles(Terminal.of(command), server);
    },
  );
  onServer(roles.command('show').description('Show one role').argument('<role>', 'its name')).action(
    async (name: string, server: ServerOptions, command: Command) => {
      const { showRole } = await import('../caller/organization/roles.js');
      await showRole(Terminal.of(command), name, server);
    },
  );
  for (const [name, isNew, description] of [
    ['create', true, 'Make a role'],
    ['update', false, 'Replace the permissions of a role; its members have them at once'],
  ] as const) {
    onServer(
      roles
        .command(name)
        .description(description)
        .argument('<role>', 'its name')
        .argument('<permission...>', 'such as data:orders:read, or *'),
    ).action(async (role: string, permissions: string[], server: ServerOptions, command: Command) => {
      const { setRole } = await import('../caller/organization/roles.js');
      await setRole(Terminal.of(command), role, permissions, { ...server, isNew });
    });
  }
  onServer(
    roles
      .command('delete')
      .description('Delete a role that no member has')
      .argument('<role>', 'its name')
      .option(...YES),
  ).action(async (name: string, options: Consented, command: Command) => {
    const { deleteRole } = await import('../caller/organization/roles.js');
    await deleteRole(Terminal.of(command), name, options);
  });
}

function addApiKeys(program: Command): void {
  const keys = withExamples(
    program.command('api-keys').description('API keys of the organization'),
    'servicectl api-keys',
    'servicectl api-keys create ci jobs:jobs:write jobs:jobs:read --expires 90d',
    'servicectl api-keys revoke ci',
  );
  onServer(addListCommand(keys).description('Show valid API keys, newest first'))
    .option('--all', 'include revoked and expired keys')
    .action(async (options: ServerOptions & { all?: boolean }, command: Command) => {
      const { listApiKeys } = await import('../caller/organization/api-keys.js');
      await listApiKeys(Terminal.of(command), options);
    });
  onServer(
    keys
      .command('create')
      .description('Create an API key and print it')
      .argument('<name>', 'display name')
      .argument('<permission...>', 'such as jobs:jobs:trigger')
      .option('--expires <instant|duration>', 'when the key expires, such as 90d (default: never)', future),
  ).action(
    async (
      name: string,
      permissions: string[],
      options: ServerOptions & { expires?: Date },
      command: Command,
    ) => {
      const { createApiKey } = await import('../caller/organization/api-keys.js');
      await createApiKey(Terminal.of(command), name, permissions, options);
    },
  );
  onServer(
    keys
      .command('revoke')
      .description('Revoke an API key; it stops working within a second')
      .argument('<key>', 'name, id, or beginning of the key')
      .option(...YES),
  ).action(async (key: string, options: Consented, command: Command) => {
    const { revokeApiKey } = await import('../caller/organization/api-keys.js');
    await revokeApiKey(Terminal.of(command), key, options);
  });
}
