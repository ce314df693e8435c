import type { Command } from 'commander';
import { addHelpCommand, Terminal } from '../../../servicectl/src/index.js';

interface VerifyFlags {
  readonly org?: string;
  readonly project?: string;
  readonly user?: string;
  readonly anchor?: string;
}

const VERIFY_HELP = `
Without --anchor, the command does not notice if a whole chain was removed or restored from an older copy.

Examples:
  servicectl audit verify
  servicectl audit verify --org acme --json
  servicectl audit verify --anchor heads-2026-01-31.ndjson`;

const ANCHOR_HELP = `
Keep the output where no one who can write to the database can write:
  servicectl audit anchor > heads-$(date +%F).ndjson`;

/** `audit verify`, `audit anchor` */
export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('The audit trail');
  addHelpCommand(audit);
  audit
    .command('verify')
    .description('Verify the hash chains and their MACs; report where they fail (exit code 1)')
    .option('--org <id|slug>', 'verify only the chain of an organization')
    .option('--project <id|ref>', 'verify only the chain of a project')
    .option('--user <id>', 'verify only the chain of a user')
    .option('--anchor <file>', 'also compare the chains with the heads in a file from audit anchor')
    .addHelpText('after', VERIFY_HELP)
    .action(async (flags: VerifyFlags, command: Command) => {
      const { verifyAudit } = await import('../operator/audit.js');
      await verifyAudit(Terminal.of(command), flags);
    });
  audit
    .command('anchor')
    .description('Print the head of every chain as a line of JSON')
    .addHelpText('after', ANCHOR_HELP)
    .action(async (_options: unknown, command: Command) => {
      const { anchorAudit } = await import('../operator/audit.js');
      await anchorAudit(Terminal.of(command));
    });
}
