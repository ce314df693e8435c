import type { Command } from 'commander';
import { migrate } from '../../platform/database/index.js';
import { withConfig } from '../command-context.js';
import { reachDatabase } from '../reach-database.js';

/** `migrate` */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Bring the database up to date with this release; the program does so too when it starts')
    .action((_options: unknown, command: Command) => runMigrations(command));
}

async function runMigrations(command: Command): Promise<void> {
  await withConfig(command, async ({ config, terminal }) => {
    const reached = await reachDatabase(config, terminal);
    try {
      const migrations = await migrate(reached.url);
      terminal.result(
        { migrations },
        migrations.length === 0 ? 'The database is up to date.' : `Ran:\n  ${migrations.join('\n  ')}`,
      );
    } finally {
      await reached.release();
    }
  });
}
