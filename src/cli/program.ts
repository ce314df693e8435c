import { Command } from 'commander';
import { addAuditCommands } from './commands/audit.js';
import { addCalibrateCommand } from './commands/calibrate.js';
import { addKeysCommands } from './commands/keys.js';
import { addMigrateCommand } from './commands/migrate.js';
import { addRekeyCommand } from './commands/rekey.js';
import { addUsersCommands } from './commands/users.js';

const HELP = `
Commands read the configuration of the server: service.toml here (or SERVICE_CONFIG) and SERVICE_* variables. They
work beside a running program, the embedded database included.

Examples:
  npx service keys list
  npx service keys rotate --immediate
  npx service users disable ada@example.com
  npx service audit verify --json

Exit codes: 0 done, 1 failed or not verified, 2 wrong usage, 78 faulty configuration.`;

/** The command line, before it is given its arguments. Its commands throw where they would end the process. */
export function buildProgram(): Command {
  const program = new Command('service')
    .description('What the operator of a deployment does by hand.')
    .option('--json', 'print one JSON value instead of text')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help to see how it is used)')
    .addHelpText('after', HELP)
    .exitOverride();
  addKeysCommands(program);
  addRekeyCommand(program);
  addCalibrateCommand(program);
  addAuditCommands(program);
  addUsersCommands(program);
  addMigrateCommand(program);
  return program;
}
