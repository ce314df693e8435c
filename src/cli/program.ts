import { Command } from 'commander';
import { addDeployCommand } from './commands/deploy.js';
import { addJobsCommands } from './commands/jobs.js';
import { addOrgsCommands } from './commands/orgs.js';
import { addRunCommands } from './commands/runs.js';
import { addSecretsCommands } from './commands/secrets.js';
import { addSignInCommands } from './commands/sign-in.js';
import { VERSION } from './version.js';

const HELP = `
Commands call the server of the last login. SERVICE_URL and SERVICE_API_KEY name another one, and need no login.

Examples:
  servicectl login
  servicectl deploy examples/hello
  servicectl trigger greet --payload '{"name":"Ada"}' --follow
  servicectl logs -f --job greet

Exit codes:
  0 done, 1 failed, 2 wrong usage, 3 the run did not complete, 4 not signed in or not allowed,
  5 the server cannot be reached or is overloaded, 78 faulty configuration, 130 interrupted`;

/**
 * The command line, before it gets its arguments. Its commands throw where they would end the process.
 * @param addOperatorCommands the published package has none (decision 0041)
 * @param asJson leaves the report of wrong usage to the caller
 */
export function buildProgram(addOperatorCommands: (program: Command) => void, asJson = false): Command {
  const program = new Command('servicectl')
    .configureOutput(asJson ? { writeErr: () => undefined } : {})
    .description('Sign in, deploy jobs, run them and read their logs, on a Service server.')
    .version(`servicectl ${VERSION}`, '-V, --version', 'print the version')
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
  addOperatorCommands(program);
  return program;
}
