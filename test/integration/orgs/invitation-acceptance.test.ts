import { randomBytes } from 'node:crypto';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import type { Answer, SignedUp } from '../../support/client.js';
import { outcomeOf, pathsOf, Team, tokenOf } from './team.js';
import type { AcceptedBody, InvitationBody } from './team.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

const ACCEPT = '/auth/v1/invitations/accept';

describe('accepting an invitation', () => {
  let program: SharedProgram;
  let url: string;
  let team: Team;

  beforeAll(async () => {
    program = await sharedProgram();
    url = program.url;
  });
  beforeEach(async () => {
    team = await Team.found(url, program.database);
  });

  function freshAddress(): string {
    return `invited-${randomBytes(6).toString('hex')}@example.com`;
  }

  async function accept(
    invitation: InvitationBody,
    by: { user?: SignedUp; password?: string } = {},
  ): Promise<Answer<AcceptedBody>> {
    const client = by.user?.client ?? new Client(url);
    const password = by.password === undefined ? {} : { password: by.password };
    return await client.post<AcceptedBody>(ACCEPT, { token: tokenOf(invitation.link), ...password });
  }

  it('by a link that an answer showed makes the account with its address unverified, and signs it in', async () => {
    const email = freshAddress();
    const { status, body } = await accept(await team.invite(email, 'admin'), { password: PASSWORD });
    expect(status).toBe(200);
    expect(body).toEqual({
      user: {
        id: expect.any(String),
        email,
        email_verified: false,
        metadata: {},
        created_at: expect.any(String),
      },
      org: {
        id: team.orgId,
        slug: team.slug,
        name: 'An organization',
        created_at: expect.any(String),
        require_second_factor: false,
      },
      session: {
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        expires_at: expect.any(String),
      },
    });
    const client = new Client(url).as(body.session?.access_token ?? '');
    expect((await client.get('/auth/v1/permissions')).body).toMatchObject({ role: 'admin' });
    const signedIn = await new Client(url).post('/auth/v1/token?grant_type=password', {
      email,
      password: PASSWORD,
    });
    expect(signedIn.status).toBe(200);
    expect(await team.lastAudit()).toMatchObject({
      action: 'invitation.accepted',
      actor_id: body.user.id,
      details: { role: 'admin', invited_by: { type: 'user', id: team.owner.userId } },
    });
  });

  it('without an account needs a password, of the length that sign-up demands', async () => {
    const invitation = await team.invite(freshAddress(), 'member');
    for (const by of [{}, { password: 'short' }]) {
      const answer = await accept(invitation, by);
      expect([outcomeOf(answer), pathsOf(answer)]).toEqual([[400, 'validation_failed'], ['password']]);
    }
    expect((await accept(invitation, { password: PASSWORD })).status).toBe(200);
  });

  it('with an account needs its access token, and opens no session', async () => {
    const user = await signUp(url);
    const invitation = await team.invite(user.email, 'member');
    expect(outcomeOf(await accept(invitation, { password: PASSWORD }))).toEqual([401, 'sign_in_required']);
    const { status, body } = await accept(invitation, { user });
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ id: user.userId, email_verified: false });
    expect(body).not.toHaveProperty('session');
    expect((await user.client.in(team.slug).get(team.path)).status).toBe(200);
  });

  it('is refused to another account, with or without one of the invited address, and that is on record', async () => {
    const stranger = await signUp(url);
    const invited = await signUp(url);
    for (const email of [invited.email, freshAddress()]) {
      const invitation = await team.invite(email, 'member');
      const answer = await accept(invitation, { user: stranger, password: PASSWORD });
      expect(outcomeOf(answer)).toEqual([403, 'wrong_account']);
      expect(await team.lastAudit()).toMatchObject({
        action: 'invitation.acceptance_refused',
        actor_id: stranger.userId,
        target_id: invitation.id,
        details: { reason: 'wrong_account' },
      });
    }
    expect(Object.keys(await team.roles())).toEqual([team.owner.userId]);
  });

  it('is refused with an invalid access token, even for a valid invitation', async () => {
    const invitation = await team.invite(freshAddress(), 'member');
    const answer = await new Client(url).as('nonsense').post(ACCEPT, { token: tokenOf(invitation.link) });
    expect(outcomeOf(answer)).toEqual([401, 'invalid_access_token']);
  });

  it('works once, and not with a token that is unknown or expired', async () => {
    const user = await signUp(url);
    const used = await team.invite(user.email, 'member');
    expect((await accept(used, { user })).status).toBe(200);
    expect(outcomeOf(await accept(used, { user }))).toEqual([400, 'invalid_token']);

    const other = await signUp(url);
    const expired = await team.invite(other.email, 'member');
    await program.database.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [expired.id]);
    expect(outcomeOf(await accept(expired, { user: other }))).toEqual([400, 'invalid_token']);
    const [listed] = (await team.owner.client.get<InvitationBody[]>(`${team.path}/invitations`)).body;
    expect(listed?.status).toBe('expired');

    const unknown = await other.client.post(ACCEPT, { token: randomBytes(32).toString('base64url') });
    expect(outcomeOf(unknown)).toEqual([400, 'invalid_token']);
  });

  it('is refused when the role is gone', async () => {
    const user = await signUp(url);
    await team.makeRole('analyst', []);
    const invitation = await team.invite(user.email, 'analyst');
    // No request gets there while the invitation pends; the database could.
    await program.database.query(`DELETE FROM roles WHERE org_id = $1 AND name = 'analyst'`, [team.orgId]);
    expect(outcomeOf(await accept(invitation, { user }))).toEqual([409, 'role_deleted']);
  });

  describe('when the inviter', () => {
    let inviter: SignedUp;
    let user: SignedUp;
    let invitation: InvitationBody;

    beforeEach(async () => {
      inviter = await team.take('admin');
      user = await signUp(url);
      invitation = await team.invite(user.email, 'admin', inviter.client);
    });

    async function expectVoid(): Promise<void> {
      expect(outcomeOf(await accept(invitation, { user }))).toEqual([409, 'invitation_void']);
      expect(await team.lastAudit()).toMatchObject({
        action: 'invitation.acceptance_refused',
        details: { reason: 'invitation_void' },
      });
      expect(await team.roles()).not.toHaveProperty(user.userId);
    }

    it('has left', async () => {
      await inviter.client.send('DELETE', `${team.path}/members/${inviter.userId}`);
      await expectVoid();
    });

    it('may no longer invite', async () => {
      await team.makeRole('no-invites', [
        'data:*:*',
        'storage:*:*',
        'functions:*:*',
        'jobs:*:*',
        'auth:roles:*',
      ]);
      await team.changeRole(inviter, 'no-invites');
      await expectVoid();
    });

    it('may invite, but no longer holds the role', async () => {
      await team.makeRole('inviter', ['auth:members:invite']);
      await team.changeRole(inviter, 'inviter');
      await expectVoid();
    });

    it('is disabled', async () => {
      await program.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [inviter.userId]);
      await expectVoid();
    });

    it('lacks the second factor that the organization demands', async () => {
      const demand = 'UPDATE organizations SET require_second_factor = $2 WHERE id = $1';
      await program.database.query(demand, [team.orgId, true]);
      await expectVoid();
      await program.database.query(demand, [team.orgId, false]);
      expect((await accept(invitation, { user })).status).toBe(200);
    });

    it('is an API key that lives, revoked and expired', async () => {
      const keyId = `k-${randomBytes(6).toString('hex')}`;
      await program.database.query(
        `INSERT INTO api_keys (id, org_id, name, secret_hash, permissions, creator_type, created_by)
         VALUES ($2, $1, 'key', '', '{auth:members:*,*:*:*}', 'user', $3)`,
        [team.orgId, keyId, inviter.userId],
      );
      await program.database.query(
        `UPDATE invitations SET inviter_type = 'api_key', inviter_id = $2 WHERE id = $1`,
        [invitation.id, keyId],
      );
      for (const dead of ['revoked_at = now()', 'revoked_at = NULL, expires_at = now()']) {
        await program.database.query(`UPDATE api_keys SET ${dead} WHERE id = $1`, [keyId]);
        await expectVoid();
      }
      await program.database.query('UPDATE api_keys SET expires_at = NULL WHERE id = $1', [keyId]);
      expect((await accept(invitation, { user })).status).toBe(200);
    });
  });

  it('never takes permissions from somebody who has become a member meanwhile', async () => {
    for (const [has, invited, gets] of [
      ['admin', 'member', 'admin'],
      ['owner', 'admin', 'owner'],
      ['member', 'admin', 'admin'],
    ] as const) {
      const user = await signUp(url);
      const invitation = await team.invite(user.email, invited);
      await program.database.query('INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, $3)', [
        team.orgId,
        user.userId,
        has,
      ]);
      expect((await accept(invitation, { user })).status).toBe(200);
      expect((await team.roles())[user.userId]).toBe(gets);
    }
  });

  it('many times simultaneously creates one account and one membership', async () => {
    const email = freshAddress();
    const invitation = await team.invite(email, 'member');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => accept(invitation, { password: PASSWORD })),
    );
    const outcomes = answers.map(({ status }) => status).sort();
    expect(outcomes[0]).toBe(200);
    expect(outcomes.slice(1).every((status) => status === 400 || status === 401)).toBe(true);
    const accounts = await program.database.query('SELECT id FROM users WHERE email = $1', [email]);
    expect(accounts).toHaveLength(1);
    const accepted = (await team.audit()).filter(({ action }) => action === 'invitation.accepted');
    expect(accepted).toHaveLength(1);
  });

  it('many times simultaneously by one account creates one membership', async () => {
    const user = await signUp(url);
    const invitation = await team.invite(user.email, 'member');
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(invitation, { user })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
  });
});
