import type { OrganizationClient } from '../../../../client/src/index.js';
import { CommandError, EXIT } from '../../command-error.js';
import { callerEnvironment } from '../../environment.js';
import { similarTo } from '../../suggestions.js';
import { connect } from '../session/connection.js';
import type { ServerOptions } from '../session/connection.js';

/** A client, and the organization that a command is about: its slug, or its id where the user gave that. */
export interface InOrganization {
  readonly client: OrganizationClient;
  readonly org: string;
}

/** @throws CommandError with the key of a project, which has no members, roles and API keys */
export async function connectToOrganization(server: ServerOptions): Promise<InOrganization> {
  const { apiKey } = callerEnvironment();
  if (apiKey !== null && projectKeyOf(apiKey) !== null)
    throw new CommandError('a project has no members, invitations, roles and API keys', EXIT.usage);
  const { client, orgName } = await connect(server);
  return { client, org: orgName ?? (await client.permissions.get()).org.slug };
}

export interface ProjectKey {
  readonly ref: string;
  readonly role: string;
}

/** What a project's key, a JSON Web Token, says of itself; null for other keys. */
export function projectKeyOf(key: string): ProjectKey | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null || !('ref' in claims) || !('role' in claims))
      return null;
    return { ref: String(claims.ref), role: String(claims.role) };
  } catch {
    return null;
  }
}

/**
 * The item that the user named in one of several ways.
 * @param noun for the error: `member`
 * @param namesOf the names of an item, the one for people first
 */
export function named<Item>(
  items: readonly Item[],
  reference: string,
  noun: string,
  namesOf: (item: Item) => readonly string[],
): Item {
  const typed = reference.toLowerCase();
  const found = items.filter((item) => namesOf(item).some((name) => name.toLowerCase() === typed));
  const [item] = found;
  if (found.length === 1 && item !== undefined) return item;
  if (found.length > 1)
    throw new CommandError(
      `${reference} names ${found.length} of them`,
      EXIT.usage,
      `Name one by its id: ${found.map((one) => namesOf(one).at(-1)).join(', ')}`,
    );
  const meant = similarTo(
    reference,
    items.flatMap((one) => namesOf(one).slice(0, 1)),
  );
  throw new CommandError(
    `there is no ${noun} ${reference}`,
    EXIT.failed,
    meant === null ? undefined : `Did you mean ${meant}?`,
  );
}

type Profile = Awaited<ReturnType<OrganizationClient['auth']['user']>>;
type ProfileOrg = Profile['orgs'][number];

/** An organization of the caller; the role is null where the profile leaves it out. */
export type OwnOrg = Omit<ProfileOrg, 'role'> & { readonly role: ProfileOrg['role'] | null };

/** A profile shows no more than this; it is full, and there may be others. */
const MAX_IN_PROFILE = 1_000;

/** Every organization of the caller, newest first. */
export async function ownOrgs(client: OrganizationClient, { orgs }: Profile): Promise<OwnOrg[]> {
  if (orgs.length < MAX_IN_PROFILE) return orgs;
  const roles = new Map(orgs.map(({ id, role }) => [id, role]));
  return (await client.orgs.list()).map(({ id, slug, name }) => ({
    id,
    slug,
    name,
    role: roles.get(id) ?? null,
  }));
}
