import { migrateNow } from '../../platform/database/index.js';
import type { Terminal } from '../terminal.js';
import { reachDatabase, readConfiguration } from './deployment.js';

export async function runMigrations(terminal: Terminal): Promise<void> {
  const reached = await reachDatabase(readConfiguration(), terminal);
  try {
    const migrations = await migrateNow(reached.url, (message) => {
      terminal.note(message);
    });
    terminal.result(
      { migrations },
      migrations.length === 0 ? 'The database is up to date.' : `Ran:\n  ${migrations.join('\n  ')}`,
    );
  } finally {
    await reached.release();
  }
}
