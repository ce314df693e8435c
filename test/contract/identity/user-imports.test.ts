import bcryptjs from 'bcryptjs';
import { actionsOf, passwordHashes } from '../../support/accounts.js';
import { Client, PASSWORD } from '../../support/client.js';
import type { Answer } from '../../support/client.js';
import { importLines } from '../../support/imports.js';
import type { ImportReport } from '../../support/imports.js';
import { startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects } from '../../support/mailing-project.js';
import { freshAddress, newUser, organizationGround, projectGround } from './identity-ground.js';
import type { IdentityGround } from './identity-ground.js';

const HASH = bcryptjs.hashSync(PASSWORD, 4);

interface StoredUser extends Record<string, unknown> {
  id: string;
  password_hash: string;
  imported_hash: string | null;
}

/** What the operator of organizations and the service key of a project import. */
describe.each([
  ['organizations', organizationGround],
  ['projects', projectGround],
])('the import of users of %s', (_profile, prepare) => {
  let ground: IdentityGround;

  beforeAll(async () => {
    ground = await prepare();
  });

  afterAll(async () => {
    await ground.stop();
  });

  const imported = (
    lines: readonly (string | Buffer | object)[],
    query = '',
  ): Promise<Answer<ImportReport>> => importLines(ground.manager, `${ground.managed}/import${query}`, lines);

  const stored = async (email: string): Promise<StoredUser> => {
    const [user] = await ground.environment.database.query<StoredUser>(
      'SELECT * FROM users WHERE email = $1',
      [email],
    );
    if (user === undefined) throw new Error(`there is no user ${email}`);
    return user;
  };

  const hashesOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await passwordHashes(ground.anonymous);
    await work();
    return (await passwordHashes(ground.anonymous)) - before;
  };

  it('creates an account as the line says, which signs in with its password of before', async () => {
    const email = freshAddress();
    const line = {
      email: ` ${email.toUpperCase()} `,
      email_verified: true,
      password_hash: HASH,
      metadata: { name: 'Ada', tags: ['"', '\\', '{}'] },
      created_at: '2019-03-01T09:30:00+01:00',
    };
    const { status, body } = await imported([line]);
    expect([status, body]).toEqual([200, { created: 1, skipped: 0, refused: 0, problems: [] }]);
    expect(await stored(email)).toMatchObject({
      email_verified: true,
      metadata: JSON.stringify(line.metadata),
      created_at: new Date('2019-03-01T08:30:00Z'),
      imported_hash: '$2b$04',
    });
    expect((await ground.signIn(email, 'not this one')).status).toBe(401);
    expect((await ground.signIn(email)).status).toBe(200);
    const entries = await ground.environment.database.query(
      "SELECT actor_type, details FROM audit_entries WHERE action = 'user.imported' AND user_id = $1",
      [(await stored(email)).id],
    );
    expect(entries).toEqual([
      { actor_type: ground.managerType, details: { by: ground.managerType, email_verified: true } },
    ]);
  });

  it('renews the hash at the first right sign-in, and not before', async () => {
    const email = freshAddress();
    await imported([{ email, password_hash: HASH }]);
    await ground.signIn(email, 'not this one');
    expect((await stored(email)).password_hash).toBe(HASH);
    expect(await hashesOf(() => ground.signIn(email))).toBe(2);
    expect(await stored(email)).toMatchObject({
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=8192,t=1,p=1\$/) as string,
      imported_hash: null,
    });
    expect(await hashesOf(() => ground.signIn(email))).toBe(1);
    expect((await ground.signIn(email)).status).toBe(200);
  });

  it('lets simultaneous first sign-ins in, all of which renew the hash', async () => {
    const email = freshAddress();
    await imported([{ email, password_hash: HASH }]);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => ground.signIn(email)));
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('lets a new password stand that was set while a sign-in renewed the old one', async () => {
    const wanted = 'a wholly other password';
    for (let time = 0; time < 5; time += 1) {
      const email = freshAddress();
      await imported([{ email, password_hash: HASH }]);
      const { id } = await stored(email);
      const path = `${ground.managed}/${id}/password`;
      const [set] = await Promise.all([
        ground.manager.send('PUT', path, { password: wanted }),
        ground.signIn(email),
        ground.signIn(email),
      ]);
      expect(set.status).toBe(204);
      expect((await ground.signIn(email)).status).toBe(401);
      expect((await ground.signIn(email, wanted)).status).toBe(200);
    }
  });

  it('leaves an account that is there as it is, by an import and by its user, and says so', async () => {
    const [user, email] = [await newUser(ground), freshAddress()];
    const before = await stored(user.email);
    const lines = [
      { email: user.email, password_hash: HASH, email_verified: true },
      { email, password_hash: HASH },
      { email: email.toUpperCase(), metadata: { second: true } },
    ];
    expect((await imported(lines)).body).toEqual({
      created: 1,
      skipped: 2,
      refused: 0,
      problems: [
        expect.objectContaining({ line: 1, email: user.email, code: 'exists' }),
        expect.objectContaining({
          line: 3,
          email,
          code: 'exists',
          message: 'An earlier line has the same address.',
        }),
      ],
    });
    expect(await stored(user.email)).toEqual(before);
    expect((await imported(lines)).body).toMatchObject({ created: 0, skipped: 3, refused: 0 });
    expect(await actionsOf(ground.environment.database, (await stored(email)).id)).toEqual(['user.imported']);
  });

  it('reports each line that is wrong with its number and what to do, and imports the others', async () => {
    const email = freshAddress();
    const wrong: readonly (readonly [string | Buffer | object, string, RegExp])[] = [
      ['{"email":', 'invalid_line', /not valid JSON/],
      [Buffer.from([0x7b, 0xff, 0x7d]), 'invalid_line', /not valid UTF-8/],
      ['["a"]', 'invalid_line', /not a JSON object/],
      ['['.repeat(200), 'invalid_line', /deeper than 100/],
      [{ email: 'nobody' }, 'invalid_field', /email must be/],
      [{ email, name: 'Ada' }, 'invalid_field', /"name" is not a field/],
      [{ email, email_verified: 'yes' }, 'invalid_field', /email_verified/],
      [{ email, password_hash: 'secret' }, 'unsupported_hash', /PHC or modular/],
      [{ email, password_hash: 12 }, 'unsupported_hash', /PHC or modular/],
      [{ email, password_hash: HASH.replace('$04$', '$31$') }, 'hash_too_costly', /rounds/],
      [
        { email, password_hash: `$pbkdf2-sha256$i=1000$c2FsdA$${'A'.repeat(43)}` },
        'unsupported_hash',
        /salt of 4 bytes/,
      ],
      [{ email, metadata: [] }, 'invalid_field', /metadata must be a JSON object/],
      [{ email, metadata: { text: 'x'.repeat(20_000) } }, 'invalid_field', /at most 16384 bytes/],
      [`{"email":"${email}","metadata":{"text":"\\u0000"}}`, 'invalid_field', /NUL/],
      [{ email, created_at: '2019-03-01' }, 'invalid_field', /created_at must be an instant/],
      [{ email, created_at: '2999-01-01T00:00:00Z' }, 'invalid_field', /between 1970 and now/],
      [{ email, created_at: '2019-99-01T00:00:00Z' }, 'invalid_field', /created_at must be an instant/],
    ];
    const { status, body } = await imported(
      [...wrong.map(([line]) => line), '', { email }],
      '?first_line=1001',
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ created: 1, skipped: 0, refused: wrong.length });
    for (const [index, [, code, message]] of wrong.entries())
      expect(body.problems[index]).toMatchObject({
        line: 1001 + index,
        code,
        message: expect.stringMatching(message) as string,
        hint: expect.stringMatching(/\.$/) as string,
      });
    expect(await stored(email)).toMatchObject({ password_hash: null, email_verified: false });
  });

  it('refuses a body of another type, and one of too many lines', async () => {
    const path = `${ground.managed}/import`;
    expect(await ground.manager.post(path, { email: freshAddress() })).toMatchObject({
      status: 415,
      body: { error: { code: 'unsupported_media_type' } },
    });
    expect(await imported(Array.from({ length: 1_001 }, () => '{}'))).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    });
    expect((await imported([{ email: freshAddress() }], '?first_line=0')).status).toBe(400);
    expect((await importLines(ground.anonymous, path, ['{}'])).status).toBeGreaterThanOrEqual(401);
    expect((await imported([])).status).toBe(415);
    expect(await imported(['', ' '])).toMatchObject({ status: 200, body: { created: 0 } });
  });

  it('gives one account to each address when two imports of the same lines run at once', async () => {
    const lines = Array.from({ length: 600 }, () => ({ email: freshAddress(), password_hash: HASH }));
    const [one, other] = await Promise.all([imported(lines), imported([...lines].reverse())]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.body.created + other.body.created).toBe(600);
    expect(one.body.skipped + other.body.skipped).toBe(600);
    const [counted] = await ground.environment.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM users WHERE email = ANY ($1)',
      [lines.map(({ email }) => email)],
    );
    expect(counted?.count).toBe(600);
  });

  it('sends no mail, verified or not', async () => {
    const [verified, unverified] = [freshAddress(), freshAddress()];
    const lines = [{ email: verified, email_verified: true }, { email: unverified }];
    expect((await imported(lines)).body.created).toBe(2);
    const mails = 'SELECT FROM outgoing_mails WHERE recipient = ANY ($1)';
    expect(await ground.environment.database.query(mails, [[verified, unverified]])).toEqual([]);
  });
});

describe('the import of users of projects', () => {
  let running: MailingProjects;

  beforeAll(async () => {
    running = await startMailingProjects();
  });

  afterAll(async () => {
    await running.stop();
  });

  it('refuses an address with a pending invitation, whose user goes when it expires, and takes it once that is deleted', async () => {
    const { service } = await running.project();
    const [email, accepted] = [freshAddress(), freshAddress()];
    for (const invited of [email, accepted])
      expect((await service.post('/auth/v1/invite', { email: invited })).status).toBe(201);
    const { database } = running.environment;
    await database.query('UPDATE users SET email_verified = true WHERE email = $1', [accepted]);
    const lines = [{ email, password_hash: HASH }, { email: accepted }];
    const { body } = await importLines(service, '/auth/v1/users/import', lines);
    expect(body).toMatchObject({ created: 0, skipped: 1, refused: 1 });
    expect(body.problems.map(({ line, code }) => [line, code])).toEqual([
      [1, 'invitation_pending'],
      [2, 'exists'],
    ]);
    const [user] = await database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
    expect((await service.send('DELETE', `/auth/v1/users/${user?.id ?? ''}`)).status).toBe(204);
    const again = await importLines(service, '/auth/v1/users/import', lines);
    expect(again.body).toMatchObject({ created: 1, skipped: 1, refused: 0 });
  });

  it('by an operator puts each into the project of its line, where the same address may have an account elsewhere', async () => {
    const [one, other] = [await running.project(), await running.project()];
    const operator = new Client(running.service.url).as(running.environment.adminToken);
    const email = freshAddress();
    const path = '/admin/v1/users/import';
    const lines = [
      { email, project: one.ref, password_hash: HASH },
      { email, project: other.ref, password_hash: HASH },
      { email, project: one.ref },
      { email },
      { email, project: 'no-such-project' },
      { email, project: one.ref, organizations: [] },
    ];
    const { status, body } = await importLines(operator, path, lines);
    expect([status, body.created]).toEqual([200, 2]);
    expect(body.problems.map(({ line, code }) => [line, code])).toEqual([
      [3, 'exists'],
      [4, 'invalid_field'],
      [5, 'unknown_project'],
      [6, 'invalid_field'],
    ]);
    for (const { anon } of [one, other])
      expect((await anon.post('/auth/v1/token', { email, password: PASSWORD })).status).toBe(200);

    // A service key imports into its own project alone.
    const foreign = await importLines(one.service, '/auth/v1/users/import', [
      { email: freshAddress(), project: other.ref },
      { email: freshAddress(), project: one.ref },
    ]);
    expect(foreign.body).toMatchObject({ created: 1, problems: [{ line: 1, code: 'unknown_project' }] });
    expect((await importLines(one.service, path, [{ email: freshAddress(), project: one.ref }])).status).toBe(
      401,
    );
    const imports = await running.environment.database.query(
      "SELECT actor_type, details FROM audit_entries WHERE action = 'users.imported' AND target_type = 'project' ORDER BY id",
    );
    expect(imports).toEqual(
      expect.arrayContaining([
        { actor_type: 'operator', details: { accounts: 1, first_line: 1, last_line: 1 } },
        { actor_type: 'project_key', details: { accounts: 1, first_line: 2, last_line: 2 } },
      ]),
    );
  });
});
