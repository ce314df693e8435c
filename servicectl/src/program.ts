import { EXIT } from './command-error.js';
import { reportFailure } from './failure-report.js';
import { Command } from 'commander';
import { addDeployCommand, addJobsCommands, addSecretsCommands } from './commands/jobs.js';
import { addCompletionCommands, addHelpCommand } from './commands/help.js';
import { addOpenCommand } from './commands/open.js';
import { addOrgsCommands, addPeopleCommands } from './commands/organization.js';
import { addRightsCommands } from './commands/rights.js';
import { addRunCommands } from './commands/runs.js';
import { addSignInCommands } from './commands/sign-in.js';
import { addUsersCommands } from './commands/users.js';
import { paintFor } from './terminal.js';
import { VERSION } from './version.js';

const HELP = `
Commands call the server of the last login. With SERVICE_URL and SERVICE_API_KEY, they call another one without a login.

Examples:
  servicectl login
  servicectl deploy examples/hello
  servicectl trigger greet --payload '{"name":"Ada"}' --follow
  servicectl logs -f --job greet

Exit codes:
  0 done, 1 failed, 2 wrong usage, 3 the run did not complete, 4 not signed in or not allowed,
  5 the server cannot be reached or is overloaded, 78 faulty configuration, 130 interrupted`;

/** Read, write, and search of a folder, for the owner. */
const OWNERS_RIGHTS = 0o700;

function writeInColour(message: string, write: (text: string) => void): void {
  write(message.replace(/^error:/, paintFor(process.stderr, 'red', 'error:')));
}

/**
 * The command line, before it gets its arguments. Its commands throw where they would end the process.
 * @param addOperatorCommands the published package has none (decision 0041)
 * @param asJson leaves the report of wrong usage to the caller
 */
export function buildProgram(addOperatorCommands: (program: Command) => void, asJson = false): Command {
  const program = new Command('servicectl')
    .configureOutput(asJson ? { writeErr: () => undefined } : { outputError: writeInColour })
    .description('Sign in, deploy jobs, run them and read their logs, on a Service server.')
    .version(`servicectl ${VERSION}`, '-V, --version', 'print the version')
    .option('--json', 'print results and errors as JSON, one value per line')
    .option('--utc', 'show times in UTC instead of local time')
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => paintFor(process.stdout, 'bold', title),
    })
    .showHelpAfterError('(add --help to see how it is used)')
    .addHelpText('after', HELP)
    .exitOverride();
  program.commandsGroup('Account:');
  addSignInCommands(program);
  program.commandsGroup('Organization:');
  addOrgsCommands(program);
  addPeopleCommands(program);
  addRightsCommands(program);
  program.commandsGroup('Jobs:');
  addDeployCommand(program);
  addJobsCommands(program);
  addRunCommands(program);
  addSecretsCommands(program);
  program.commandsGroup('Users of a deployment or project:');
  addUsersCommands(program);
  addOperatorCommands(program);
  program.commandsGroup('Other:');
  addOpenCommand(program);
  addCompletionCommands(program);
  addHelpCommand(program);
  return program;
}

/** What a command says has nowhere to go. A reader may close the pipe early, as `head` does; that is no failure. */
export function endWithoutOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  const reason = error.code === 'ENOSPC' ? 'no space is left on the device' : error.message;
  process.stderr.write(`error: the output cannot be written: ${reason}\n`, () => process.exit(EXIT.failed));
}

/** Runs the command line that the user typed, and ends the process with its exit code. */
export async function runTypedCommand(addOperatorCommands: (program: Command) => void): Promise<void> {
  // A file with a session must be read again, whatever mask the shell has.
  process.umask(process.umask(0o077) & ~OWNERS_RIGHTS);
  process.stdout.on('error', endWithoutOutput);
  // Nothing is left to say it on.
  process.stderr.on('error', () => process.exit(EXIT.failed));
  process.exitCode = await runCommandLine(process.argv.slice(2), addOperatorCommands);
}

/**
 * Runs one command line and reports its failure.
 * @param args without the program's own name
 * @returns the exit code
 */
export async function runCommandLine(
  args: readonly string[],
  addOperatorCommands: (program: Command) => void,
): Promise<number> {
  // Commander stops at the first faulty argument, so it may not reach this one.
  const asJson = args.includes('--json');
  const program = buildProgram(addOperatorCommands, asJson);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return await reportFailure(error, asJson);
  }
}
