import type { Command } from 'commander';
import { Terminal } from '../terminal.js';
import { addListCommand } from './help.js';
import { withExamples } from './arguments.js';

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
    .description('Show them; a star marks the one that commands act in')
    .option(...URL)
    .action(async (server: Server, command: Command) => {
      const { listOrgs } = await import('../caller/orgs.js');
      await listOrgs(Terminal.of(command), server);
    });
  orgs
    .command('use')
    .description('Let commands act in this one from now on')
    .argument('<slug|id>', 'which')
    .option(...URL)
    .action(async (reference: string, server: Server, command: Command) => {
      const { useOrg } = await import('../caller/orgs.js');
      await useOrg(Terminal.of(command), reference, server);
    });
  orgs
    .command('create')
    .description('Make one, which you own, and act in it')
    .argument('<slug>', 'lower-case letters, digits and hyphens')
    .option('--name <name>', 'for people; the slug when it is left out')
    .option(...URL)
    .action(async (slug: string, options: Server & { name?: string }, command: Command) => {
      const { createOrg } = await import('../caller/orgs.js');
      await createOrg(Terminal.of(command), slug, options);
    });
}
