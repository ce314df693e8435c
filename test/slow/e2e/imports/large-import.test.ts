import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '../../../../client/src/index.js';
import type { ImportProgress } from '../../../../client/src/index.js';
import { createEnvironment } from '../../../support/environment.js';
import type { TestEnvironment } from '../../../support/environment.js';
import { ServiceProcess } from '../../../support/service-process.js';

const USERS = 100_000;
const KILLED_AT = 30_000;
const ORGANIZATIONS = 200;
const OPERATOR = 'the-operator-of-a-large-import';
/** Above what the program has at rest: a request has less than 1 MiB, and is read into objects. */
const MOST_GROWTH_MIB = 300;

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** The same lines each time: the salt says which. */
async function* lines(slugs: readonly string[]): AsyncGenerator<string> {
  const key = base64(randomBytes(32));
  for (let number = 1; number <= USERS; number += 1) {
    const salt = base64(Buffer.from(String(number).padStart(16, '0')));
    const account = {
      email: `user-${number}@example.com`,
      email_verified: true,
      password_hash: `$argon2id$v=19$m=65536,t=3,p=4$${salt}$${key}`,
      metadata: { name: `User ${number}` },
      // Every fifth is a member, and neighbours are in different organizations.
      ...(number % 5 === 0
        ? { organizations: [{ slug: slugs[number % slugs.length], role: 'member' }] }
        : {}),
    };
    yield `${JSON.stringify(account)}\n`;
    if (number % 1_000 === 0) await new Promise(setImmediate);
  }
}

/** What the process has in memory, of its own. */
function memoryMib(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4) / 1024;
}

describe('an import of 100,000 users with Argon2 hashes', () => {
  let environment: TestEnvironment;

  beforeAll(async () => {
    environment = await createEnvironment();
  });

  afterAll(async () => {
    await environment.dispose();
  });

  it('is complete after the program was killed in its middle and the import ran again, in bounded memory', async () => {
    const variables = {
      ...environment.variables,
      SERVICE_ADMIN__TOKEN: OPERATOR,
      SERVICE_ROLE: 'api',
      SERVICE_LOG__LEVEL: 'info',
    };
    const first = await ServiceProcess.start(variables);
    const slugs = Array.from({ length: ORGANIZATIONS }, (_, index) => `organization-${index}`);
    await environment.database.query(
      `WITH made AS (
         INSERT INTO organizations (id, slug, name) SELECT gen_random_uuid(), slug, slug FROM unnest($1::text[]) AS slug
         RETURNING id
       )
       INSERT INTO roles (org_id, name, permissions, builtin) SELECT id, 'member', '{}', true FROM made`,
      [slugs],
    );

    const interrupted = createClient({ url: first.url ?? '', adminToken: OPERATOR }).admin.users.import(
      lines(slugs),
      {
        onProgress: ({ nextLine }) => {
          if (nextLine > KILLED_AT) first.signal('SIGKILL');
        },
      },
    );
    await expect(interrupted).rejects.toMatchObject({ code: 'network_error' });
    await first.exit();

    const second = await ServiceProcess.start(variables);
    try {
      const atRest = memoryMib(second.pid);
      let most = 0;
      const begun = performance.now();
      const progress: ImportProgress = await createClient({
        url: second.url ?? '',
        adminToken: OPERATOR,
      }).admin.users.import(lines(slugs), {
        onProgress: () => {
          most = Math.max(most, memoryMib(second.pid));
        },
      });
      const seconds = (performance.now() - begun) / 1000;
      const created = `${progress.created} users created, ${progress.skipped} had been`;
      process.stdout.write(
        `${created}, in ${seconds.toFixed(1)} s; ${atRest.toFixed(0)} MiB at rest, at most ${most.toFixed(0)} MiB\n`,
      );
      expect(progress).toMatchObject({ nextLine: USERS + 1, refused: 0 });
      expect(progress.created + progress.skipped).toBe(USERS);
      expect(progress.skipped).toBeGreaterThanOrEqual(KILLED_AT);
      expect(most - atRest).toBeLessThan(MOST_GROWTH_MIB);
    } finally {
      await second.stop();
    }
    const [counted] = await environment.database.query(
      `SELECT (SELECT count(*)::int FROM users) AS users,
              (SELECT count(*)::int FROM users WHERE imported_hash IS NOT NULL) AS hashes,
              (SELECT count(*)::int FROM members) AS members,
              (SELECT count(*)::int FROM audit_entries WHERE action = 'user.imported') AS entries,
              (SELECT sum(jsonb_array_length(details -> 'members'))::int FROM audit_entries
               WHERE action = 'members.imported') AS joined,
              (SELECT sum((details ->> 'accounts')::int)::int FROM audit_entries
               WHERE action = 'users.imported') AS summed`,
    );
    expect(counted).toEqual({
      users: USERS,
      hashes: USERS,
      members: USERS / 5,
      entries: USERS,
      joined: USERS / 5,
      summed: USERS,
    });
  }, 400_000);
});
