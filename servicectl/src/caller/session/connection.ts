import { createClient, jsonTextOf } from '../../../../client/src/index.js';
import type { OrganizationClient } from '../../../../client/src/index.js';
import { CommandError, EXIT } from '../../command-error.js';
import { asTyped, callerEnvironment } from '../../environment.js';
import { printAnswersBy } from '../../terminal.js';
import { compactJson } from '../json-text.js';
import { Preferences } from './preferences.js';
import { SessionFile } from './session-file.js';

/** Where the program listens by default. */
const DEFAULT_URL = 'http://127.0.0.1:8080';

printAnswersBy((answer) => {
  const text = jsonTextOf(answer);
  return text === undefined ? undefined : compactJson(text);
});

/** What the options of a command say of the server. */
export interface ServerOptions {
  readonly url?: string | undefined;
  readonly org?: string | undefined;
}

/** A server, and how a command speaks to it. */
export interface Connection {
  readonly client: OrganizationClient;
  readonly url: string;
  /** How to name the organization to people; null where the server knows it by the caller. */
  readonly orgName: string | null;
  readonly preferences: Preferences;
}

/**
 * Connects as the user who signed in at the server, or with the API key of the environment.
 * @throws CommandError when there is neither
 */
export async function connect({ url: givenUrl, org: givenOrg }: ServerOptions): Promise<Connection> {
  const { url: envUrl, apiKey, folder } = callerEnvironment();
  const preferences = new Preferences(folder);
  const named = givenUrl ?? envUrl;
  if (apiKey !== null) {
    // A key must not go to the server of a login that somebody forgot.
    if (named === null) throw new CommandError('SERVICE_API_KEY requires SERVICE_URL', EXIT.usage);
    const url = serverUrl(named);
    const client = createClient({ url, org: givenOrg, credential: apiKey });
    return { client, url, orgName: givenOrg ?? null, preferences };
  }
  const kept = named ?? preferences.url;
  if (kept === null) throw signedOut('');
  const url = serverUrl(kept);
  const chosen = givenOrg === undefined ? preferences.orgAt(url) : { id: givenOrg, slug: givenOrg };
  const client = createClient({ url, org: chosen?.id, storage: new SessionFile(folder, url) });
  if ((await client.auth.session()) === null) throw signedOut(` at ${url}`);
  return { client, url, orgName: chosen?.slug ?? null, preferences };
}

/** The server to sign in at; nobody needs to be signed in there. */
export function connectForLogin(givenUrl: string | undefined): Connection {
  const { url: envUrl, folder } = callerEnvironment();
  const preferences = new Preferences(folder);
  const url = serverUrl(givenUrl ?? envUrl ?? preferences.url ?? DEFAULT_URL);
  const client = createClient({ url, storage: new SessionFile(folder, url) });
  return { client, url, orgName: null, preferences };
}

/** In one spelling, since sessions are kept by it. */
function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new CommandError(
      `the address of a server begins with https:// or http://, and this is ${text}`,
      EXIT.usage,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function signedOut(where: string): CommandError {
  return new CommandError(
    `nobody is signed in${where}`,
    EXIT.refused,
    `Run: ${asTyped('login')} (or set SERVICE_URL and SERVICE_API_KEY)`,
  );
}
