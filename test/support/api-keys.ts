import { signUp } from './client.js';
import type { Client, SignedUp } from './client.js';
import type { OpenDatabase } from './database.js';

/** An API key, as the response to its creation shows it. */
export interface MadeKey {
  id: string;
  name: string;
  prefix: string;
  permissions: string[];
  created_by: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  key: string;
}

/** Creates a key of an organization as `client`, which must have the permission. */
export async function makeKey(
  client: Client,
  org: string,
  permissions: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<MadeKey> {
  const body = { name: 'A key', permissions, ...more };
  const answer = await client.post<MadeKey>(`/auth/v1/orgs/${org}/api-keys`, body);
  if (answer.status !== 201)
    throw new Error(`making a key answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A new account that is a member of the organization, with a role that has these permissions. */
export async function addMember(
  url: string,
  database: OpenDatabase,
  orgId: string,
  permissions: readonly string[],
): Promise<SignedUp & { role: string }> {
  const member = await signUp(url);
  const role = `r${member.userId.slice(-12)}`;
  await database.query('INSERT INTO roles (org_id, name, permissions) VALUES ($1, $2, $3)', [
    orgId,
    role,
    permissions,
  ]);
  await database.query('INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, $3)', [
    orgId,
    member.userId,
    role,
  ]);
  return { ...member, role };
}

export interface AuditRow extends Record<string, unknown> {
  actor_type: string;
  actor_id: string;
  action: string;
  target_type: string;
  target_id: string;
  details: Record<string, unknown>;
}

/** The audit entries of an organization about its API keys, oldest first. */
export async function keyAuditOf(database: OpenDatabase, orgId: string): Promise<AuditRow[]> {
  return await database.query<AuditRow>(
    `SELECT actor_type, actor_id, action, target_type, target_id, details FROM audit_entries
     WHERE org_id = $1 AND action LIKE 'api_key.%' ORDER BY position`,
    [orgId],
  );
}
