import type { Command } from 'commander';
import type { ServerOptions } from '../caller/session/connection.js';
import { Terminal } from '../terminal.js';
import { onServer, withExamples } from './arguments.js';

interface SignInOptions {
  url?: string;
  email?: string;
  org?: string;
  passwordStdin?: boolean;
}

const URL_HELP = 'address of the server (SERVICE_URL, the last one, or http://127.0.0.1:8080)';
const PASSWORD_HELP = 'read the password from standard input instead of asking';

/** `signup`, `login`, `logout`, `whoami` */
export function addSignInCommands(program: Command): void {
  withExamples(
    program
      .command('signup')
      .description('Create an account and sign in')
      .option('--url <url>', URL_HELP)
      .option('--email <address>', 'address of the account (asks if omitted)')
      .option('--password-stdin', PASSWORD_HELP),
    'servicectl signup --email ada@example.com',
  ).action(async (options: SignInOptions, command: Command) => {
    const { signUp } = await import('../caller/session/sign-in.js');
    await signUp(Terminal.of(command), options);
  });
  withExamples(
    program
      .command('login')
      .description('Sign in; the session is kept in a file that only you can read')
      .option('--url <url>', URL_HELP)
      .option('--email <address>', 'address of the account (asks if omitted)')
      .option('--org <slug|id>', 'organization to act in')
      .option('--code <code>', 'code of your second factor, or a recovery code (asks if omitted)')
      .option('--password-stdin', PASSWORD_HELP),
    'servicectl login',
    'servicectl login --url https://id.example.com --email ada@example.com --org acme',
    'servicectl login --email ada@example.com --password-stdin < password.txt',
  ).action(async (options: SignInOptions, command: Command) => {
    const { signIn } = await import('../caller/session/sign-in.js');
    await signIn(Terminal.of(command), options);
  });
  program
    .command('logout')
    .description('End the session, here and at the server')
    .option('--url <url>', 'address of the server (SERVICE_URL, or the last one)')
    .action(async (options: { url?: string }, command: Command) => {
      const { signOut } = await import('../caller/session/sign-in.js');
      await signOut(Terminal.of(command), options);
    });
  onServer(
    program.command('whoami').description('Show who is signed in, where, and what they may do there'),
  ).action(async (options: ServerOptions, command: Command) => {
    const { whoAmI } = await import('../caller/session/whoami.js');
    await whoAmI(Terminal.of(command), options);
  });
}
