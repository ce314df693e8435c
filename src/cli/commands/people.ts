import type { Command } from 'commander';
import type { ServerOptions } from '../caller/connection.js';
import { Terminal } from '../terminal.js';
import { onServer, withExamples } from './arguments.js';
import { addListCommand } from './help.js';

type Consented = ServerOptions & { readonly yes?: boolean };

const YES = ['-y, --yes', 'do not ask'] as const;

/** `members`, `invitations`: who belongs to the organization, and who may */
export function addPeopleCommands(program: Command): void {
  addMembers(program);
  addInvitations(program);
}

function addMembers(program: Command): void {
  const members = withExamples(
    program.command('members').description('Members of the organization'),
    'servicectl members',
    'servicectl members role grace@example.com admin',
    'servicectl members remove grace@example.com',
  );
  onServer(addListCommand(members).description('Show the members with their roles')).action(
    async (server: ServerOptions, command: Command) => {
      const { listMembers } = await import('../caller/members.js');
      await listMembers(Terminal.of(command), server);
    },
  );
  onServer(
    members
      .command('role')
      .description('Give a member another role')
      .argument('<member>', 'address or user id')
      .argument('<role>', 'such as admin'),
  ).action(async (member: string, role: string, server: ServerOptions, command: Command) => {
    const { giveRole } = await import('../caller/members.js');
    await giveRole(Terminal.of(command), member, role, server);
  });
  onServer(
    members
      .command('remove')
      .description('Remove a member from the organization')
      .argument('<member>', 'address or user id')
      .option(...YES),
  ).action(async (member: string, options: Consented, command: Command) => {
    const { removeMember } = await import('../caller/members.js');
    await removeMember(Terminal.of(command), member, options);
  });
}

function addInvitations(program: Command): void {
  const invitations = withExamples(
    program.command('invitations').description('Invitations to the organization'),
    'servicectl invitations',
    'servicectl invitations create grace@example.com --role admin',
    'servicectl invitations revoke grace@example.com',
  );
  onServer(addListCommand(invitations).description('Show invitations, newest first')).action(
    async (server: ServerOptions, command: Command) => {
      const { listInvitations } = await import('../caller/invitations.js');
      await listInvitations(Terminal.of(command), server);
    },
  );
  onServer(
    invitations
      .command('create')
      .description('Invite someone; prints the link where no mail was sent')
      .argument('<email>', 'whom')
      .option('--role <role>', 'role in the organization', 'member'),
  ).action(async (email: string, options: ServerOptions & { role: string }, command: Command) => {
    const { invite } = await import('../caller/invitations.js');
    await invite(Terminal.of(command), email, options);
  });
  onServer(
    invitations
      .command('revoke')
      .description('Make the link of a pending invitation useless')
      .argument('<invitation>', 'address or id')
      .option(...YES),
  ).action(async (invitation: string, options: Consented, command: Command) => {
    const { revokeInvitation } = await import('../caller/invitations.js');
    await revokeInvitation(Terminal.of(command), invitation, options);
  });
}
