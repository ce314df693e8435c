import { domainToASCII } from 'node:url';
import { createClient } from '../../../client/src/index.js';
import type { OrganizationClient, ProjectClient } from '../../../client/src/index.js';
import { CommandError } from '../command-error.js';
import { callerEnvironment } from '../environment.js';
import { facts, table } from '../table.js';
import type { Cell } from '../table.js';
import { sanitizeForTerminal } from '../terminal.js';
import type { Terminal } from '../terminal.js';
import { projectKeyOf } from './organization/organization.js';
import { connect } from './session/connection.js';
import { refuseWithoutConsent } from './session/prompts.js';

/** The users of the deployment, or of the project whose service key the environment has. */
type Users = OrganizationClient['admin']['users'] | ProjectClient['users'];
type User = Awaited<ReturnType<Users['get']>>;

export interface UsersServer {
  readonly url?: string;
}

export interface ListUsersOptions extends UsersServer {
  readonly search?: string;
  readonly limit: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const USER_COLUMNS = [
  { heading: 'ADDRESS', shortens: true },
  { heading: 'STATE' },
  { heading: 'CREATED', leftOut: 1 },
  { heading: 'ID', leftOut: 2 },
] as const;

const SESSION_COLUMNS = [
  { heading: 'REFRESHED' },
  { heading: 'OPENED', leftOut: 2 },
  { heading: 'IP' },
  { heading: 'PROGRAM', shortens: true },
  { heading: 'ID', leftOut: 1 },
] as const;

/** As the operator who signed in, or with the service key of a project. */
export async function connectToUsers(server: UsersServer): Promise<Users> {
  const { apiKey } = callerEnvironment();
  const { client, url } = await connect(server);
  return apiKey !== null && projectKeyOf(apiKey) !== null
    ? createClient({ url, apikey: apiKey }).users
    : client.admin.users;
}

/** The one spelling in which the server stores an address: its local part unquoted (RFC 5321, 4.1.2), its domain in ASCII (RFC 5891). */
function storedAddress(typed: string): string {
  const [, local = typed, domain = ''] = /^(.*)@([^@]*)$/.exec(typed.trim()) ?? [];
  const [, quoted = null] = /^"((?:[^"\\]|\\.)*)"$/.exec(local) ?? [];
  const unquoted = quoted === null ? local : quoted.replaceAll(/\\(.)/g, '$1');
  return `${unquoted.toLowerCase()}@${domainToASCII(domain)}`;
}

/** @throws CommandError, or user_not_found of the server */
async function userNamed(users: Users, reference: string): Promise<User> {
  if (UUID.test(reference)) return await users.get(reference);
  const email = storedAddress(reference);
  // The list has every address that begins so, newest first: the one that was meant may be on any page.
  for await (const { id, email: found } of users.list({ email, limit: 100 })) {
    // By itself, so that its metadata are shown as they were written.
    if (found === email) return await users.get(id);
  }
  throw new CommandError(`there is no user with the address ${reference}`);
}

export async function listUsers(
  terminal: Terminal,
  { search, limit, ...server }: ListUsersOptions,
): Promise<void> {
  const users = await connectToUsers(server);
  const { items, nextCursor } = await users
    .list({ limit, ...(search === undefined ? {} : { search }) })
    .page();
  const rows = items.map((user) => [user.email, stateOf(user), terminal.instant(user.created_at), user.id]);
  terminal.result(
    items,
    rows.length === 0 ? 'There are no such users.' : table(terminal, USER_COLUMNS, rows),
  );
  if (nextCursor !== null) terminal.advise('There are more. Find some with --search.');
}

export async function showUser(terminal: Terminal, reference: string, server: UsersServer): Promise<void> {
  const user = await userNamed(await connectToUsers(server), reference);
  terminal.result(
    user,
    facts(terminal, {
      User: { text: user.email, colour: 'bold' },
      Id: user.id,
      State: stateOf(user),
      Password: user.has_password ? 'yes' : 'no',
      Created: terminal.instant(user.created_at),
      Disabled: user.disabled_at === null ? null : terminal.instant(user.disabled_at),
    }),
  );
}

export async function listSessions(
  terminal: Terminal,
  reference: string,
  server: UsersServer,
): Promise<void> {
  const users = await connectToUsers(server);
  const { id } = await userNamed(users, reference);
  const sessions = await users.sessions(id, { limit: 100 }).all();
  const rows = sessions.map((session) => [
    terminal.instant(session.last_refreshed_at),
    terminal.instant(session.created_at),
    session.ip ?? '',
    session.user_agent ?? '',
    session.id,
  ]);
  terminal.result(
    sessions,
    rows.length === 0 ? 'The user has no live session.' : table(terminal, SESSION_COLUMNS, rows),
  );
}

export async function endSessions(
  terminal: Terminal,
  reference: string,
  { yes, ...server }: UsersServer & { readonly yes?: boolean },
): Promise<void> {
  const users = await connectToUsers(server);
  const { id, email } = await userNamed(users, reference);
  await refuseWithoutConsent(terminal, yes, `End all sessions of ${email}?`, 'say --yes to end them');
  await users.endSessions(id);
  terminal.result({ id, email, ended: true }, `Ended all sessions of ${sanitizeForTerminal(email)}.`);
}

export async function resetFactors(
  terminal: Terminal,
  reference: string,
  { yes, ...server }: UsersServer & { readonly yes?: boolean },
): Promise<void> {
  const users = await connectToUsers(server);
  const { id, email } = await userNamed(users, reference);
  const question = `Remove all second factors of ${email}, and end all sessions?`;
  await refuseWithoutConsent(terminal, yes, question, 'say --yes to remove them');
  await users.resetFactors(id);
  terminal.result({ id, email, reset: true }, `Removed all second factors of ${sanitizeForTerminal(email)}.`);
}

export async function setDisabled(
  terminal: Terminal,
  reference: string,
  server: UsersServer,
  disabled: boolean,
): Promise<void> {
  const users = await connectToUsers(server);
  const { id } = await userNamed(users, reference);
  const user = await users.update(id, { disabled });
  terminal.result(user, `${sanitizeForTerminal(user.email)} is ${disabled ? 'disabled' : 'enabled'}.`);
}

function stateOf({ disabled, email_verified: isVerified }: User): Cell {
  if (disabled) return { text: 'disabled', colour: 'red' };
  return isVerified ? { text: 'verified', colour: 'green' } : { text: 'unverified', colour: 'yellow' };
}
