import type { Command } from 'commander';
import type { ImportCommandOptions } from '../caller/user-import.js';
import type { ListUsersOptions, UsersServer } from '../caller/users.js';
import { Terminal } from '../terminal.js';
import { wholeNumber, withExamples } from './arguments.js';
import { addListCommand } from './help.js';

const URL = ['--url <url>', 'address of the server (SERVICE_URL, or the one of the last login)'] as const;
const WHOM = ['<email|id>', 'address or user id'] as const;

const HELP = `
The caller has to be an operator of the deployment who has signed in, or with projects the service key in
SERVICE_API_KEY, which manages the users of its project.`;

/** `users list`, `users show`, `users sessions`, `users import`, `users reset-factors`, `users disable`, `users enable` */
export function addUsersCommands(program: Command): void {
  const users = withExamples(
    program.command('users').description('Accounts of a deployment or project'),
    'servicectl users --search lovel',
    'servicectl users show ada@example.com',
    'servicectl users sessions ada@example.com --end',
    'servicectl users import accounts.ndjson',
    'servicectl users disable ada@example.com',
  ).addHelpText('after', HELP);
  addListCommand(users)
    .description('Show users, newest first')
    .option('--search <words>', 'how words of the address or name begin')
    .option('--limit <number>', 'how many', wholeNumber(1, 100), 50)
    .option(...URL)
    .action(async (options: ListUsersOptions, command: Command) => {
      const { listUsers } = await import('../caller/users.js');
      await listUsers(Terminal.of(command), options);
    });
  users
    .command('show')
    .description('Show a user')
    .argument(...WHOM)
    .option(...URL)
    .action(async (whom: string, server: UsersServer, command: Command) => {
      const { showUser } = await import('../caller/users.js');
      await showUser(Terminal.of(command), whom, server);
    });
  users
    .command('sessions')
    .description('Show the live sessions of a user, newest first, or end them')
    .argument(...WHOM)
    .option('--end', 'end all sessions, with their access tokens')
    .option('-y, --yes', 'do not ask')
    .option(...URL)
    .action(async (whom: string, options: UsersServer & SessionsOptions, command: Command) => {
      const { endSessions, listSessions } = await import('../caller/users.js');
      await (options.end === true ? endSessions : listSessions)(Terminal.of(command), whom, options);
    });
  withExamples(
    users
      .command('import')
      .description('Create the accounts of another system, with the hashes of their passwords'),
    'servicectl users import accounts.ndjson --report problems.ndjson',
    'servicectl users import accounts.ndjson --from 43001',
  )
    .argument(
      '<file>',
      'one JSON object a line: email, email_verified, password_hash, metadata, created_at, …',
    )
    .option('--from <line>', 'go on at this line', wholeNumber(1, 1_000_000_000), 1)
    .option('--report <file>', 'append a line of JSON for each line that became no account')
    .option(...URL)
    .action(async (file: string, options: ImportCommandOptions, command: Command) => {
      const { importUsers } = await import('../caller/user-import.js');
      await importUsers(Terminal.of(command), file, options);
    });
  users
    .command('reset-factors')
    .description('Remove all second factors of a user who has lost them, and end all sessions')
    .argument(...WHOM)
    .option('-y, --yes', 'do not ask')
    .option(...URL)
    .action(async (whom: string, options: UsersServer & { yes?: boolean }, command: Command) => {
      const { resetFactors } = await import('../caller/users.js');
      await resetFactors(Terminal.of(command), whom, options);
    });
  users
    .command('disable')
    .description('End all sessions of a user, and refuse their sign-ins and access tokens')
    .argument(...WHOM)
    .option(...URL)
    .action((whom: string, server: UsersServer, command: Command) =>
      setDisabled(command, whom, server, true),
    );
  users
    .command('enable')
    .description('Let a disabled user sign in again')
    .argument(...WHOM)
    .option(...URL)
    .action((whom: string, server: UsersServer, command: Command) =>
      setDisabled(command, whom, server, false),
    );
}

/** What `users disable` and `users enable` do at a server. */
export async function setDisabled(
  command: Command,
  whom: string,
  server: UsersServer,
  disabled: boolean,
): Promise<void> {
  const caller = await import('../caller/users.js');
  await caller.setDisabled(Terminal.of(command), whom, server, disabled);
}

interface SessionsOptions {
  readonly end?: boolean;
  readonly yes?: boolean;
}
