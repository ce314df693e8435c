import { ServiceError } from '../../../../client/src/index.js';
import { CommandError, EXIT } from '../../command-error.js';
import { sanitizeForTerminal } from '../../terminal.js';
import type { Terminal } from '../../terminal.js';
import { connectForLogin } from './connection.js';
import type { Connection } from './connection.js';
import { asTyped } from '../../environment.js';
import { ownOrgs } from '../organization/organization.js';
import type { OwnOrg } from '../organization/organization.js';
import type { ChosenOrg } from './preferences.js';
import { askChoice, askSecret, askText, canAsk, readStandardInput } from './prompts.js';

export interface SignInOptions {
  readonly url?: string;
  readonly email?: string;
  readonly passwordStdin?: boolean;
}

interface LoginOptions {
  readonly org?: string;
  /** Of an authenticator application, or a recovery code. */
  readonly code?: string;
}

function factorOf(text: string): { code: string } | { recovery_code: string } {
  const typed = text.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(typed) ? { code: typed } : { recovery_code: typed };
}

/**
 * A passkey is used in a browser alone; here a recovery code stands for it.
 * @throws CommandError where nothing can be typed
 */
async function askFactor(terminal: Terminal, factors: readonly string[], url: string): Promise<string> {
  if (factors.includes('totp'))
    return await askText(terminal, 'Code or recovery code:', 'give it with --code');
  const advice = `Add an authenticator application to the account in the console: ${url}/console/account`;
  if (!factors.includes('recovery_code'))
    throw new CommandError(
      'the account signs in with a passkey, which only browsers can use',
      EXIT.refused,
      advice,
    );
  terminal.advise(`The account has a passkey, which only browsers can use. ${advice}`);
  return await askText(terminal, 'Recovery code:', 'give it with --code');
}

/** Signs in, and chooses the organization to act in: the one named, the only one, or one that the user points at. */
export async function signIn(terminal: Terminal, options: SignInOptions & LoginOptions): Promise<void> {
  const connection = connectForLogin(options.url);
  const email = await emailOf(terminal, options);
  const password = await passwordOf(terminal, options, 'Password:');
  try {
    await connection.client.auth.signIn({ email, password });
  } catch (error) {
    const challenge = error instanceof ServiceError ? error.challenge : undefined;
    if (challenge === undefined) throw error;
    const code = options.code ?? (await askFactor(terminal, challenge.factors, connection.url));
    await connection.client.auth.completeSignIn({ challenge_token: challenge.token, ...factorOf(code) });
  }
  await begin(terminal, connection, options.org);
}

/** Makes an account and signs it in. */
export async function signUp(terminal: Terminal, options: SignInOptions): Promise<void> {
  const connection = connectForLogin(options.url);
  const email = await emailOf(terminal, options);
  const password = await passwordOf(terminal, options, 'Password for the new account:');
  if (options.passwordStdin !== true && (await passwordOf(terminal, options, 'Once more:')) !== password)
    throw new CommandError('the two passwords differ');
  await connection.client.auth.signUp({ email, password });
  await begin(terminal, connection, undefined);
}

/** Ends the session at the server and removes it here, even if the server cannot be reached. */
export async function signOut(terminal: Terminal, options: { url?: string }): Promise<void> {
  const { client, url, preferences } = connectForLogin(options.url);
  const session = await client.auth.session();
  if (session !== null) await client.auth.signOut();
  preferences.forgetOrg(url);
  terminal.result(
    { url, signed_out: session !== null },
    session === null ? `Nobody was signed in at ${url}.` : `Signed out of ${url}.`,
  );
}

async function begin(terminal: Terminal, connection: Connection, wanted: string | undefined): Promise<void> {
  const { client, url, preferences } = connection;
  const profile = await client.auth.user();
  const { email } = profile;
  const orgs = await ownOrgs(client, profile);
  preferences.chooseServer(url);
  const org = await chosen(terminal, orgs, connection, wanted);
  if (org === null) preferences.forgetOrg(url);
  else preferences.chooseOrg(url, org);
  const where = org === null ? '' : `, in the organization ${sanitizeForTerminal(org.slug)}`;
  terminal.result(
    { url, email, org: org?.slug ?? null },
    `Signed in at ${url} as ${sanitizeForTerminal(email)}${where}.`,
  );
  if (org !== null) return;
  terminal.advise(
    orgs.length === 0
      ? `You do not belong to an organization yet. Create one: ${asTyped('orgs create <slug>')}`
      : `You belong to several organizations. Choose one: ${asTyped('orgs use <slug>')}`,
  );
}

async function chosen(
  terminal: Terminal,
  orgs: readonly OwnOrg[],
  { url, preferences }: Connection,
  wanted: string | undefined,
): Promise<ChosenOrg | null> {
  if (wanted !== undefined) return orgNamed(orgs, wanted);
  const before = preferences.orgAt(url);
  const same = orgs.find(({ id }) => id === before?.id);
  if (same !== undefined || orgs.length <= 1 || !canAsk(terminal))
    return same ?? (orgs.length === 1 ? (orgs[0] ?? null) : null);
  const choices = orgs.map((org) => ({
    name: `${sanitizeForTerminal(org.slug)} (${sanitizeForTerminal(org.name)})`,
    value: org,
  }));
  return await askChoice(terminal, 'Organization to act in:', choices, 'name one with --org');
}

/** @throws CommandError when the user is not a member of it */
export function orgNamed(orgs: readonly OwnOrg[], reference: string): OwnOrg {
  const found = orgs.find(({ id, slug }) => id === reference.toLowerCase() || slug === reference);
  if (found !== undefined) return found;
  const others = orgs.map(({ slug }) => slug).join(', ');
  throw new CommandError(
    `you are no member of an organization ${reference}`,
    EXIT.refused,
    others === '' ? `Create one: ${asTyped('orgs create <slug>')}` : `You belong to: ${others}`,
  );
}

async function emailOf(terminal: Terminal, { email }: SignInOptions): Promise<string> {
  return email ?? (await askText(terminal, 'E-mail:', 'name the account with --email'));
}

async function passwordOf(
  terminal: Terminal,
  { passwordStdin }: SignInOptions,
  message: string,
): Promise<string> {
  return passwordStdin === true
    ? await readStandardInput()
    : await askSecret(terminal, message, 'give the password on standard input with --password-stdin');
}
