import type { Command } from 'commander';
import { Terminal } from '../terminal.js';

/** `migrate` */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Bring the database up to date with this release; the program does so too when it starts')
    .action(async (_options: unknown, command: Command) => {
      const { runMigrations } = await import('../operator/migrate.js');
      await runMigrations(Terminal.of(command));
    });
}
