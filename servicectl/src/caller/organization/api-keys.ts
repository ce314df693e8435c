import type { ApiKey } from '../../../../client/src/index.js';
import { table } from '../../table.js';
import type { Cell } from '../../table.js';
import type { Terminal } from '../../terminal.js';
import type { ServerOptions } from '../session/connection.js';
import { connectToOrganization, named } from './organization.js';
import { refuseWithoutConsent } from '../session/prompts.js';

const PAGE = 100;

const COLUMNS = [
  { heading: 'KEY' },
  { heading: 'NAME', shortens: true },
  { heading: 'STATE' },
  { heading: 'PERMISSIONS', leftOut: 3, shortens: true },
  { heading: 'CREATED', leftOut: 1 },
  { heading: 'EXPIRES', leftOut: 2 },
  { heading: 'LAST USED' },
] as const;

/** @param all also keys that are revoked or expired */
export async function listApiKeys(
  terminal: Terminal,
  { all = false, ...server }: ServerOptions & { all?: boolean },
): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const keys = (await client.apiKeys.list({ org, limit: PAGE }).all()).filter(
    (key) => all || stateOf(key) === 'active',
  );
  const rows = keys.map((key) => [
    key.prefix,
    key.name,
    stateCell(key),
    key.permissions.join(' '),
    terminal.instant(key.created_at),
    key.expires_at === null ? 'never' : terminal.instant(key.expires_at),
    key.last_used_at === null ? 'never' : terminal.instant(key.last_used_at),
  ]);
  terminal.result(keys, rows.length === 0 ? 'There are no such API keys.' : table(terminal, COLUMNS, rows));
}

/** The key alone is the result, for `KEY=$(servicectl api-keys create …)`. */
export async function createApiKey(
  terminal: Terminal,
  name: string,
  permissions: readonly string[],
  { expires, ...server }: ServerOptions & { expires?: Date },
): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const key = await client.apiKeys.create(
    { name, permissions: [...permissions], expires_at: expires?.toISOString() },
    { org },
  );
  const end = key.expires_at === null ? 'until it is revoked' : `until ${terminal.instant(key.expires_at)}`;
  terminal.advise(`Made an API key of ${org}, valid ${end}. Save it now: it is not shown again.`);
  terminal.result(key, key.key);
}

export async function revokeApiKey(
  terminal: Terminal,
  reference: string,
  { yes, ...server }: ServerOptions & { yes?: boolean },
): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const keys = await client.apiKeys.list({ org, limit: PAGE }).all();
  const active = keys.filter((key) => stateOf(key) === 'active');
  const { id, prefix, name } = named(active, reference, 'active API key', (key) => [
    key.name,
    key.prefix,
    key.id,
  ]);
  await refuseWithoutConsent(terminal, yes, `Revoke ${prefix} (${name})?`, 'say --yes to revoke it');
  await client.apiKeys.revoke(id, { org });
  terminal.result({ id, prefix, revoked: true }, `Revoked ${prefix}.`);
}

function stateOf({ revoked_at, expires_at }: ApiKey): 'active' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

function stateCell(key: ApiKey): Cell {
  const state = stateOf(key);
  return { text: state, colour: state === 'active' ? 'green' : 'dim' };
}
