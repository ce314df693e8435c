import type { Command } from 'commander';
import { Terminal } from '../terminal.js';

/** `audit verify` */
export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('The audit trail')
    .command('verify')
    .description('Recompute the hash chains, and say where they do not hold (exit code 1)')
    .option('--org <id|slug>', 'only the chain of an organization')
    .option('--project <id|ref>', 'only the chain of a project')
    .option('--user <id>', 'only the chain of a user')
    .addHelpText('after', '\nExamples:\n  service audit verify\n  service audit verify --org acme --json')
    .action(async (selection: { org?: string; project?: string; user?: string }, command: Command) => {
      const { verifyAudit } = await import('../operator/audit.js');
      await verifyAudit(Terminal.of(command), selection);
    });
}
