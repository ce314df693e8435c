import argon2 from 'argon2';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { PASSWORD } from './client.js';
import type { TestDatabase } from './database.js';

export type Profile = 'organization' | 'project';

export interface OperatorAccount {
  readonly userId: string;
  readonly email: string;
  /** Their second factors. Each can sign in once, and whoever uses one removes it from the list. */
  readonly recoveryCodes: string[];
}

const CODES = 20;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** In the program's format, so that a sign-in needs neither a clock nor a device. */
function newRecoveryCode(): string {
  return Array.from(randomBytes(16), (byte) => BASE32[byte % BASE32.length]).join('');
}

/** A recovery code of the operator that no other sign-in uses. */
export function nextCodeOf({ recoveryCodes }: OperatorAccount): string {
  const code = recoveryCodes.pop();
  if (code === undefined) throw new Error(`the operator has signed in ${CODES} times`);
  return code;
}

/** The realm of operators' accounts. */
const REALMS = {
  organization: '00000000-0000-0000-0000-000000000000',
  project: '00000000-0000-0000-0000-000000000001',
} as const;

/**
 * An operator's account with an active second factor, as `servicectl operators add` and the first sign-in create one.
 */
export async function createOperatorAccount(
  database: Pick<TestDatabase, 'query'>,
  profile: Profile,
  access: 'full' | 'read_only' = 'full',
): Promise<OperatorAccount> {
  const [userId, email] = [randomUUID(), `${randomBytes(6).toString('hex')}@example.com`];
  const passwordHash = await argon2.hash(PASSWORD, { memoryCost: 1024, timeCost: 1 });
  await database.query(
    `INSERT INTO users (id, realm_id, email, email_verified, password_hash, metadata)
     VALUES ($1, $2, $3, true, $4, '{}')`,
    [userId, REALMS[profile], email, passwordHash],
  );
  await database.query('INSERT INTO operators (user_id, read_only) VALUES ($1, $2)', [
    userId,
    access === 'read_only',
  ]);
  const recoveryCodes = Array.from({ length: CODES }, newRecoveryCode);
  await addFactorTo(database, userId, recoveryCodes);
  return { userId, email, recoveryCodes };
}

/** Turns an operator into one who has never had a second factor, or has lost it. */
export async function removeFactorOf(
  database: Pick<TestDatabase, 'query'>,
  { userId }: OperatorAccount,
): Promise<void> {
  await database.query('UPDATE users SET second_factor = false WHERE id = $1', [userId]);
  await database.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
}

async function addFactorTo(
  database: Pick<TestDatabase, 'query'>,
  userId: string,
  codes: readonly string[],
): Promise<void> {
  await database.query('UPDATE users SET second_factor = true WHERE id = $1', [userId]);
  const hashes = codes.map((code) => createHash('sha256').update(`${userId}:${code}`).digest());
  await database.query(
    'INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, hash FROM unnest($2::bytea[]) hash',
    [userId, hashes],
  );
}
