import { table } from '../../table.js';
import { sanitizeForTerminal } from '../../terminal.js';
import type { Terminal } from '../../terminal.js';
import type { ServerOptions } from '../session/connection.js';
import { connectToOrganization, named } from './organization.js';
import type { InOrganization } from './organization.js';
import { refuseWithoutConsent } from '../session/prompts.js';

const PAGE = 100;

const MEMBER_COLUMNS = [
  { heading: 'EMAIL', shortens: true },
  { heading: 'ROLE' },
  { heading: 'JOINED', leftOut: 2 },
  { heading: 'USER', leftOut: 1 },
] as const;

export async function listMembers(terminal: Terminal, server: ServerOptions): Promise<void> {
  const { client, org } = await connectToOrganization(server);
  const members = await client.members.list({ org, limit: PAGE }).all();
  const rows = members.map(({ email, role, joined_at, user_id }) => [
    email,
    role,
    terminal.instant(joined_at),
    user_id,
  ]);
  terminal.result(members, table(terminal, MEMBER_COLUMNS, rows));
}

export async function giveRole(
  terminal: Terminal,
  reference: string,
  role: string,
  server: ServerOptions,
): Promise<void> {
  const connection = await connectToOrganization(server);
  const { user_id } = await memberNamed(connection, reference);
  const member = await connection.client.members.update(user_id, { role }, { org: connection.org });
  terminal.result(member, `${sanitizeForTerminal(member.email)} is ${member.role} of ${connection.org} now.`);
}

export async function removeMember(
  terminal: Terminal,
  reference: string,
  { yes, revokeKeys = false, ...server }: ServerOptions & { yes?: boolean; revokeKeys?: boolean },
): Promise<void> {
  const connection = await connectToOrganization(server);
  const { user_id, email } = await memberNamed(connection, reference);
  const alsoKeys = revokeKeys ? ', and revoke the API keys that they made' : '';
  await refuseWithoutConsent(
    terminal,
    yes,
    `Remove ${email} from ${connection.org}${alsoKeys}?`,
    'say --yes to remove them',
  );
  await connection.client.members.remove(user_id, {
    org: connection.org,
    ...(revokeKeys ? { revokeKeys } : {}),
  });
  terminal.result(
    { user_id, email, removed: true, keys_revoked: revokeKeys },
    `Removed ${sanitizeForTerminal(email)} from ${connection.org}.` +
      (revokeKeys ? ' The API keys that they made are revoked.' : ''),
  );
}

async function memberNamed(
  { client, org }: InOrganization,
  reference: string,
): Promise<{ user_id: string; email: string }> {
  const members = await client.members.list({ org, limit: PAGE }).all();
  return named(members, reference, 'member', ({ email, user_id }) => [email, user_id]);
}
