import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from './database.js';
import type { OpenDatabase } from './database.js';
import { signUp, signUpOwner } from './client.js';
import { fetch } from './fetch.js';
import { until } from './until.js';

/** A program that all suites of a run share (scripts/test/shared-programs.mjs). */
export interface SharedProgram {
  readonly url: string;
  readonly database: OpenDatabase;
  readonly adminToken: string;
  /** Deploys a function. Suites that use the same name must deploy the same source. */
  deploy(name: string, source: string): Promise<void>;
}

interface Answer {
  readonly url: string;
  readonly databaseUrl: string;
  readonly adminToken: string;
  readonly functionsDir: string;
}

/**
 * The program of this profile, with all roles, the default settings and the deadlines of the gate, for suites that only
 * need a tenant of their own. They change nothing that others see, and read only their own rows.
 */
export async function sharedProgram(
  profile: 'organization' | 'project' = 'organization',
): Promise<SharedProgram> {
  const { TEST_PROGRAMS: programs } = process.env;
  if (programs === undefined)
    throw new Error('run the tests with npm test, which starts the shared programs');
  const response = await fetch(`${programs}/${profile}`);
  if (!response.ok) throw new Error(await response.text());
  const { url, databaseUrl, adminToken, functionsDir } = (await response.json()) as Answer;
  return {
    url,
    database: openDatabase(databaseUrl),
    adminToken,
    deploy: (name, source) => writeFile(join(functionsDir, `${name}.mjs`), source),
  };
}

/**
 * Waits until the program has received the notifications of all earlier changes, which drop entries from its caches. To
 * find out, a user whom the program has cached as not being a member becomes one. The program sees this after the
 * notification of that change, and notifications arrive in the order of the changes.
 */
export async function untilNotified({ url, database }: SharedProgram): Promise<void> {
  const [owner, member] = [await signUpOwner(url), await signUp(url)];
  const statusOfMember = async (): Promise<number> =>
    (await member.client.in(owner.slug).get('/auth/v1/permissions')).status;
  await statusOfMember();
  await database.query(`INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'member')`, [
    owner.orgId,
    member.userId,
  ]);
  await database.query(`SELECT pg_notify('service_changes', 'membership:' || $1::text)`, [member.userId]);
  await until(async () => (await statusOfMember()) === 200);
}
