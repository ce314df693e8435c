import type { Command } from 'commander';
import type { InvitationOptions } from '../caller/organization/invitations.js';
import type { ServerOptions } from '../caller/session/connection.js';
import { Terminal } from '../terminal.js';
import { onServer, withExamples } from './arguments.js';
import { addListCommand } from './help.js';

interface Server {
  url?: string;
}

const URL = ['--url <url>', 'address of the server (SERVICE_URL, or the one of the last login)'] as const;

/** `orgs list`, `orgs use`, `orgs create` */
export function addOrgsCommands(program: Command): void {
  const orgs = withExamples(
    program.command('orgs').description('Your organizations'),
    'servicectl orgs',
    'servicectl orgs use acme',
    'servicectl orgs create acme --name "Acme Inc."',
  );
  addListCommand(orgs)
    .description('Show your organizations; a star marks the one that commands act in')
    .option(...URL)
    .action(async (server: Server, command: Command) => {
      const { listOrgs } = await import('../caller/organization/orgs.js');
      await listOrgs(Terminal.of(command), server);
    });
  orgs
    .command('use')
    .description('Set the organization that commands act in')
    .argument('<slug|id>', 'its slug or id')
    .option(...URL)
    .action(async (reference: string, server: Server, command: Command) => {
      const { useOrg } = await import('../caller/organization/orgs.js');
      await useOrg(Terminal.of(command), reference, server);
    });
  orgs
    .command('create')
    .description('Create an organization that you own, and act in it')
    .argument('<slug>', 'lower-case letters, digits and hyphens')
    .option('--name <name>', 'display name (default: the slug)')
    .option(...URL)
    .action(async (slug: string, options: Server & { name?: string }, command: Command) => {
      const { createOrg } = await import('../caller/organization/orgs.js');
      await createOrg(Terminal.of(command), slug, options);
    });
}

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
    'servicectl members remove grace@example.com --revoke-keys',
  );
  onServer(addListCommand(members).description('Show the members with their roles')).action(
    async (server: ServerOptions, command: Command) => {
      const { listMembers } = await import('../caller/organization/members.js');
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
    const { giveRole } = await import('../caller/organization/members.js');
    await giveRole(Terminal.of(command), member, role, server);
  });
  onServer(
    members
      .command('remove')
      .description('Remove a member from the organization')
      .argument('<member>', 'address or user id')
      .option('--revoke-keys', 'also revoke the API keys that the member made, and those that these made')
      .option(...YES),
  ).action(async (member: string, options: Consented & { revokeKeys?: boolean }, command: Command) => {
    const { removeMember } = await import('../caller/organization/members.js');
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
      const { listInvitations } = await import('../caller/organization/invitations.js');
      await listInvitations(Terminal.of(command), server);
    },
  );
  onServer(
    invitations
      .command('create')
      .description('Invite someone; prints the link if no mail was sent')
      .argument('<email>', 'address to invite')
      .option('--role <role>', 'role in the organization', 'member')
      .option('--redirect-to <url>', 'where the page of the mail ends, from identity.redirect_urls'),
  ).action(async (email: string, options: InvitationOptions, command: Command) => {
    const { invite } = await import('../caller/organization/invitations.js');
    await invite(Terminal.of(command), email, options);
  });
  onServer(
    invitations
      .command('revoke')
      .description('Revoke a pending invitation, so that its link no longer works')
      .argument('<invitation>', 'address or invitation id')
      .option(...YES),
  ).action(async (invitation: string, options: Consented, command: Command) => {
    const { revokeInvitation } = await import('../caller/organization/invitations.js');
    await revokeInvitation(Terminal.of(command), invitation, options);
  });
}
