import pg from 'pg';
import { actionsOf, refresh, signIn } from '../../support/accounts.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../../support/client.js';
import type { Answer, SignedUp } from '../../support/client.js';
import { until } from '../../support/until.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

let program: SharedProgram;
let anonymous: Client;

beforeAll(async () => {
  program = await sharedProgram();
  anonymous = new Client(program.url);
});
function refusal(status: number, code: string): object {
  return { status, body: { error: { code, status } } };
}

async function deleteOf({ client }: SignedUp, body: object): Promise<Answer> {
  return await client.send('DELETE', '/auth/v1/user', body);
}

/** A transaction of somebody else, open until it is told. */
async function openTransaction(): Promise<pg.Client> {
  const transaction = new pg.Client({ connectionString: program.database.url });
  await transaction.connect();
  await transaction.query('BEGIN');
  return transaction;
}

async function somebodyWaits(): Promise<void> {
  await until(async () => {
    const waiting = await program.database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  });
}

/** Two owners of one organization. */
async function twoOwners(): Promise<{ first: SignedUp & { orgId: string }; second: SignedUp }> {
  const first = await signUpOwner(program.url);
  const second = await signUp(program.url);
  await program.database.query(`INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'owner')`, [
    first.orgId,
    second.userId,
  ]);
  return { first, second };
}

test('deletes the account with its sessions and memberships; its address is free and its token refused', async () => {
  const { first, second } = await twoOwners();
  const { database } = program;
  expect(await deleteOf(second, { password: 'wrong' })).toMatchObject(refusal(403, 'wrong_password'));
  expect(await deleteOf(second, {})).toMatchObject(refusal(400, 'validation_failed'));
  expect(await deleteOf(second, { password: PASSWORD })).toMatchObject({ status: 204, body: null });

  expect(await second.client.get('/auth/v1/user')).toMatchObject(refusal(401, 'invalid_access_token'));
  expect(await refresh(anonymous, second.refreshToken)).toMatchObject(refusal(401, 'invalid_refresh_token'));
  const signedIn = await signIn(anonymous, second.email, PASSWORD);
  expect(signedIn).toMatchObject(refusal(401, 'invalid_credentials'));
  expect(await database.query('SELECT FROM members WHERE user_id = $1', [second.userId])).toEqual([]);
  expect(await actionsOf(database, second.userId)).toEqual([
    'user.signed_up',
    'session.opened',
    'user.deletion_refused',
    'user.deleted',
  ]);
  const [left] = await database.query(
    `SELECT actor_id FROM audit_entries WHERE org_id = $1 AND action = 'member.left'`,
    [first.orgId],
  );
  expect(left).toEqual({ actor_id: second.userId });
  expect((await signUp(program.url, second.email)).userId).not.toBe(second.userId);
});

test('is refused to the last owner who can sign in, and recorded', async () => {
  const { first, second } = await twoOwners();
  const { database } = program;
  await database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [second.userId]);
  expect(await deleteOf(first, { password: PASSWORD })).toMatchObject(refusal(409, 'last_owner'));
  expect((await first.client.get('/auth/v1/user')).status).toBe(200);
  expect((await actionsOf(database, first.userId)).at(-1)).toBe('user.deletion_refused');
});

test('of two owners who delete themselves at one time, one stays', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { first, second } = await twoOwners();
    const answers = await Promise.all(
      [first, second].map((owner) => deleteOf(owner, { password: PASSWORD })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  }
});

test.each([
  [
    'makes an organization',
    (user: SignedUp) => user.client.post('/auth/v1/orgs', { slug: `of-${user.userId}`, name: 'Late' }),
  ],
  [
    'accepts an invitation',
    async (user: SignedUp) => {
      const owner = await signUpOwner(program.url);
      const invitation = { email: user.email, role: 'member' };
      const { body } = await owner.client.post<{ link: string }>(
        `/auth/v1/orgs/${owner.orgId}/invitations`,
        invitation,
      );
      const token = new URL(body.link).searchParams.get('token');
      return await user.client.post('/auth/v1/invitations/accept', { token });
    },
  ],
])('whoever %s while the account is being deleted is told that it is gone', async (_what, act) => {
  const ada = await signUp(program.url);
  // The access guard has seen the account.
  expect((await ada.client.get('/auth/v1/user')).status).toBe(200);
  const deletion = await openTransaction();
  await deletion.query('DELETE FROM users WHERE id = $1', [ada.userId]);
  const answer = act(ada);
  await somebodyWaits();
  await deletion.query('COMMIT');
  await deletion.end();
  expect(await answer).toMatchObject(refusal(401, 'invalid_access_token'));
});

test('an organization that was joined while the deletion waited for another keeps an owner too', async () => {
  const { database } = program;
  const { second: ada } = await twoOwners();
  const other = await signUpOwner(program.url);
  const first = await openTransaction();
  await first.query(
    `SELECT FROM organizations WHERE id IN (SELECT org_id FROM members WHERE user_id = $1) FOR UPDATE`,
    [ada.userId],
  );
  const answer = deleteOf(ada, { password: PASSWORD });
  await somebodyWaits();
  await database.query(`INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'owner')`, [
    other.orgId,
    ada.userId,
  ]);
  const demotion = await openTransaction();
  await demotion.query('SELECT FROM organizations WHERE id = $1 FOR UPDATE', [other.orgId]);
  await demotion.query(`UPDATE members SET role = 'member' WHERE org_id = $1 AND user_id = $2`, [
    other.orgId,
    other.userId,
  ]);
  await first.query('COMMIT');
  await first.end();
  await somebodyWaits();
  await demotion.query('COMMIT');
  await demotion.end();
  expect(await answer).toMatchObject(refusal(409, 'last_owner'));
});
