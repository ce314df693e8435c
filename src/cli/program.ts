import { Command } from 'commander';
import { addAuditCommands } from './commands/audit.js';
import { addCalibrateCommand } from './commands/calibrate.js';
import { addDeployCommand } from './commands/deploy.js';
import { addJobsCommands } from './commands/jobs.js';
import { addKeysCommands } from './commands/keys.js';
import { addMigrateCommand } from './commands/migrate.js';
import { addOrgsCommands } from './commands/orgs.js';
import { addRekeyCommand } from './commands/rekey.js';
import { addRunCommands } from './commands/runs.js';
import { addSecretsCommands } from './commands/secrets.js';
import { addSignInCommands } from './commands/sign-in.js';
import { addUsersCommands } from './commands/users.js';

const HELP = `
Users' commands call a server: the one of the last login, or with SERVICE_URL and SERVICE_API_KEY any, without a
login. Operators' commands work on the database, beside a running program too, the embedded database included; they
read the configuration of the server: service.toml here (or SERVICE_CONFIG) and SERVICE_* variables.

Examples:
  service login
  service deploy examples/hello
  service trigger greet --payload '{"name":"Ada"}' --follow
  service logs -f --job greet
  service keys rotate --immediate

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the run that was waited for did not complete, 4 not signed in or not
allowed, 5 the server cannot be reached or has no room, 78 faulty configuration, 130 interrupted.`;

/**
 * The command line, before it is given its arguments. Its commands throw where they would end the process.
 * @param asJson whether what is wrong with the arguments is left to who catches it
 */
export function buildProgram(asJson = false): Command {
  const program = new Command('service')
    .configureOutput(asJson ? { writeErr: () => undefined } : {})
    .description('Jobs and organizations at a server, and what its operator does by hand.')
    .option('--json', 'print JSON instead of text, one value a line; errors too')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help to see how it is used)')
    .addHelpText('after', HELP)
    .exitOverride();
  program.commandsGroup('Who and where:');
  addSignInCommands(program);
  addOrgsCommands(program);
  program.commandsGroup('Jobs:');
  addDeployCommand(program);
  addJobsCommands(program);
  addRunCommands(program);
  addSecretsCommands(program);
  program.commandsGroup('For the operator of a deployment:');
  addKeysCommands(program);
  addRekeyCommand(program);
  addCalibrateCommand(program);
  addAuditCommands(program);
  addUsersCommands(program);
  addMigrateCommand(program);
  return program;
}
