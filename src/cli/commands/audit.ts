import type { Command } from 'commander';
import { Terminal } from '../terminal.js';
import { addHelpCommand } from './help.js';

interface VerifyFlags {
  readonly org?: string;
  readonly project?: string;
  readonly user?: string;
  readonly anchor?: string;
}

const VERIFY_HELP = `
Without --anchor, a chain that was put back as it once was, or removed as a whole, goes unnoticed.

Examples:
  servicectl audit verify
  servicectl audit verify --org acme --json
  servicectl audit verify --anchor heads-2026-01-31.ndjson`;

const ANCHOR_HELP = `
Keep what it prints where nobody who can write the database can write:
  servicectl audit anchor > heads-$(date +%F).ndjson`;

const SEAL_HELP = `
For the upgrade from a release that wrote no MACs. Run it once, when every instance runs this release.`;

/** `audit verify`, `audit anchor`, `audit seal` */
export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('The audit trail');
  addHelpCommand(audit);
  audit
    .command('verify')
    .description('Recompute the hash chains and their MACs, and say where they do not hold (exit code 1)')
    .option('--org <id|slug>', 'only the chain of an organization')
    .option('--project <id|ref>', 'only the chain of a project')
    .option('--user <id>', 'only the chain of a user')
    .option('--anchor <file>', 'also compare the chains with heads that audit anchor printed')
    .addHelpText('after', VERIFY_HELP)
    .action(async (flags: VerifyFlags, command: Command) => {
      const { verifyAudit } = await import('../operator/audit.js');
      await verifyAudit(Terminal.of(command), flags);
    });
  audit
    .command('anchor')
    .description('Print the head of every chain, a line of JSON each')
    .addHelpText('after', ANCHOR_HELP)
    .action(async (_options: unknown, command: Command) => {
      const { anchorAudit } = await import('../operator/audit.js');
      await anchorAudit(Terminal.of(command));
    });
  audit
    .command('seal')
    .description('Accept entries without a MAC as they are now')
    .addHelpText('after', SEAL_HELP)
    .action(async (_options: unknown, command: Command) => {
      const { sealAudit } = await import('../operator/audit.js');
      await sealAudit(Terminal.of(command));
    });
}
