import { Accounts } from '../../src/identity/index.js';
import { Database } from '../../src/platform/database/index.js';
import type { Answer, Client } from './client.js';
import type { ServiceInProcess } from './service-in-process.js';
import type { OpenDatabase } from './database.js';

export interface TokenAnswer {
  access_token: string;
  refresh_token: string;
}

export async function signIn(client: Client, email: string, password: string): Promise<Answer<TokenAnswer>> {
  return await client.post<TokenAnswer>('/auth/v1/token?grant_type=password', { email, password });
}

export async function refresh(client: Client, token: string): Promise<Answer<TokenAnswer>> {
  return await client.post<TokenAnswer>('/auth/v1/token?grant_type=refresh_token', { refresh_token: token });
}

/** Changes an account as the operator. */
export async function setDisabled(
  { application }: ServiceInProcess,
  userId: string,
  disabled: boolean,
): Promise<void> {
  const actor = { type: 'operator', id: null } as const;
  await application
    .get(Database)
    .transaction((tx) => application.get(Accounts).setDisabled(tx, userId, disabled, actor, null));
}

/** How many Argon2 computations have begun so far. */
export async function passwordHashes(client: Client): Promise<number> {
  const { body } = await client.get<string>('/metrics');
  return Number(/^service_password_hashes_total (\d+)$/m.exec(body)?.[1]);
}

/** The actions in a user's chain, oldest first. */
export async function actionsOf(database: OpenDatabase, userId: string): Promise<string[]> {
  const entries = await database.query<{ action: string }>(
    'SELECT action FROM audit_entries WHERE chain_id = $1 ORDER BY position',
    [`user:${userId}`],
  );
  return entries.map(({ action }) => action);
}
