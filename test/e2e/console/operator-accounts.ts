import argon2 from 'argon2';
import { randomBytes, randomUUID } from 'node:crypto';
import { PASSWORD } from '../../support/client.js';
import type { SharedProgram } from '../../support/shared-program.js';
import { ConsoleCaller } from './console-caller.js';

/** An operator who has signed in to the console. */
export interface SignedInOperator {
  readonly userId: string;
  readonly email: string;
  readonly browser: ConsoleCaller;
  readonly accessToken: string;
}

/** Where the accounts of operators are. */
const REALMS = {
  organization: '00000000-0000-0000-0000-000000000000',
  project: '00000000-0000-0000-0000-000000000001',
} as const;

/** As `servicectl operators add` makes one. */
export async function createOperator(
  { url, database }: Pick<SharedProgram, 'url' | 'database'>,
  profile: keyof typeof REALMS,
  access: 'full' | 'read_only' = 'full',
): Promise<SignedInOperator> {
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
  const browser = new ConsoleCaller(url);
  const { status, body } = await browser.post('', { email, password: PASSWORD });
  if (status !== 200) throw new Error(`the operator cannot sign in: ${status} ${JSON.stringify(body)}`);
  return { userId, email, browser, accessToken: body.access_token };
}
