import type { OrganizationClient } from '../../../../client/src/index.js';
import { connect } from '../session/connection.js';
import type { Connection } from '../session/connection.js';

/** What may stand for an argument or an option, by its name. */
export type Candidates = ReadonlyMap<string, readonly string[]>;

/** Tab answers at once or not at all. */
const LIMIT_MS = 1_000;
const MOST = 100;

type Source = (connection: Connection, signal: AbortSignal) => Promise<string[]>;
type OrganizationSource = (
  client: OrganizationClient,
  page: { org: string; limit: number; signal: AbortSignal },
) => Promise<string[]>;

function inOrganization(list: OrganizationSource): Source {
  return async ({ client, orgName }, signal) => {
    const org = orgName ?? (await client.permissions.get({ signal })).org.slug;
    return await list(client, { org, limit: MOST, signal });
  };
}

const jobs: Source = async ({ client }, signal) =>
  (await client.jobs.list({ limit: MOST, signal }).all(MOST)).map(({ id }) => id);

const orgs: Source = async ({ client }, signal) =>
  (await client.orgs.list({ signal })).map(({ slug }) => slug);

/** By the names of arguments (`<job>`) and options (`--job`) in the commands. */
const SOURCES: Readonly<Record<string, Source>> = {
  job: jobs,
  run: async ({ client }, signal) =>
    (await client.runs.list({ limit: MOST, signal }).all(MOST)).map(({ id }) => id),
  path: async ({ client }, signal) =>
    (await client.vault.list({ limit: MOST, signal }).all(MOST)).map(({ path }) => path),
  'slug|id': orgs,
  org: orgs,
  role: inOrganization(async (client, page) =>
    (await client.roles.list(page).all(MOST)).map(({ name }) => name),
  ),
  member: inOrganization(async (client, page) =>
    (await client.members.list(page).all(MOST)).map(({ email }) => email),
  ),
  invitation: inOrganization(async (client, page) =>
    (await client.invitations.list(page).all(MOST))
      .filter(({ status }) => status === 'pending')
      .map(({ email }) => email),
  ),
  key: inOrganization(async (client, page) =>
    (await client.apiKeys.list(page).all(MOST))
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ prefix }) => prefix),
  ),
};

/** What the server knows of these kinds; nothing of a kind that it does not answer soon, or not to this user. */
export async function candidatesFor(kinds: ReadonlySet<string>): Promise<Candidates> {
  const known = [...kinds].flatMap((kind) => {
    const source = SOURCES[kind];
    return source === undefined ? [] : [{ kind, source }];
  });
  if (known.length === 0) return new Map();
  const connection = await connect({}).catch(() => null);
  if (connection === null) return new Map();
  const signal = AbortSignal.timeout(LIMIT_MS);
  const found = known.map(async ({ kind, source }) => {
    const values = await source(connection, signal).catch(() => []);
    return [kind, values] as const;
  });
  return new Map(await Promise.all(found));
}
