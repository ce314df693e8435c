import { table } from '../../table.js';
import type { Terminal } from '../../terminal.js';
import { connect } from '../session/connection.js';
import { orgNamed } from '../session/sign-in.js';
import { ownOrgs } from './organization.js';

interface Server {
  readonly url?: string;
}

const COLUMNS = [
  { heading: '' },
  { heading: 'SLUG' },
  { heading: 'NAME', shortens: true },
  { heading: 'ROLE' },
  { heading: 'ID', leftOut: 1 },
] as const;

/** Those of the caller, with the one that commands act in. */
export async function listOrgs(terminal: Terminal, server: Server): Promise<void> {
  const { client, url, preferences } = await connect(server);
  const orgs = await ownOrgs(client, await client.auth.user());
  const current = preferences.orgAt(url)?.id ?? (orgs.length === 1 ? orgs[0]?.id : undefined);
  const rows = orgs.map(({ id, slug, name, role }) => [
    id === current ? ({ text: '*', colour: 'green' } as const) : '',
    slug,
    name,
    role ?? '',
    id,
  ]);
  terminal.result(
    orgs.map((org) => ({ ...org, current: org.id === current })),
    orgs.length === 0 ? 'You do not belong to an organization.' : table(terminal, COLUMNS, rows),
  );
}

export async function useOrg(terminal: Terminal, reference: string, server: Server): Promise<void> {
  const { client, url, preferences } = await connect(server);
  const org = orgNamed(await ownOrgs(client, await client.auth.user()), reference);
  preferences.chooseOrg(url, org);
  terminal.result({ url, org: org.slug }, `Commands act in ${org.slug} now.`);
}

/** Makes an organization, which the caller owns, and acts in it from now on. */
export async function createOrg(
  terminal: Terminal,
  slug: string,
  { name = slug, ...server }: Server & { name?: string },
): Promise<void> {
  const { client, url, preferences } = await connect(server);
  const org = await client.orgs.create({ slug, name });
  preferences.chooseOrg(url, org);
  terminal.result(org, `Created ${org.slug}. Commands now act in it.`);
}
