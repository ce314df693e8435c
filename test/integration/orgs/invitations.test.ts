import { randomUUID } from 'node:crypto';
import { SMTPServer } from 'smtp-server';
import { Client, PASSWORD, signUp } from '../../support/client.js';
import type { SignedUp } from '../../support/client.js';
import { ServiceProcess } from '../../support/service-process.js';
import { outcomeOf, pathsOf, Team, tokenOf } from './team.js';
import type { InvitationBody } from './team.js';
import { createEnvironment } from '../../support/environment.js';
import type { TestEnvironment } from '../../support/environment.js';
import { until } from '../../support/until.js';
import { sharedProgram } from '../../support/shared-program.js';
import type { SharedProgram } from '../../support/shared-program.js';

const ADMIN_TOKEN = 'the-operator-of-the-invitations';
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

interface ListedMail {
  id: string;
  state: string;
  answer: string | null;
}

describe('invitations', () => {
  let program: SharedProgram;
  let url: string;
  let team: Team;
  let admin: SignedUp;

  beforeAll(async () => {
    program = await sharedProgram();
    url = program.url;
  });
  beforeEach(async () => {
    team = await Team.found(url, program.database);
    admin = await team.take('admin');
  });

  it('are made with a link for a week where no mail is configured, with an audit entry', async () => {
    const made = await admin.client.post<InvitationBody>(`${team.path}/invitations`, {
      email: ' New@Example.com ',
      role: 'member',
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      email: 'new@example.com',
      role: 'member',
      status: 'pending',
      expires_at: expect.any(String),
      emailed: false,
      link: expect.stringMatching(/^http:\/\/.+\/auth\/v1\/pages\/invitation\?token=[\w-]{43}$/),
    });
    const life = Date.parse(made.body.expires_at) - Date.now();
    expect(Math.abs(life - WEEK_MS)).toBeLessThan(60_000);
    expect(await team.lastAudit()).toMatchObject({
      action: 'invitation.created',
      actor_id: admin.userId,
      target_type: 'invitation',
      target_id: made.body.id,
      details: { email: 'new@example.com', role: 'member' },
    });
  });

  it('are listed newest first, without link or token', async () => {
    const first = await team.invite('first@example.com', 'member');
    const second = await team.invite('second@example.com', 'admin');
    const page = await admin.client.get<InvitationBody[]>(`${team.path}/invitations?limit=2`);
    const without = ({ link: _link, ...rest }: InvitationBody): Omit<InvitationBody, 'link'> => rest;
    expect(page.body).toEqual([without(second), without(first)]);
    const next = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await admin.client.get<InvitationBody[]>(next);
    expect(rest.body.map(({ email, status }) => [email, status])).toEqual([[admin.email, 'accepted']]);
    expect(JSON.stringify(page.body)).not.toContain(tokenOf(first.link));
  });

  it('leave no usable token in the database', async () => {
    const { link } = await team.invite('new@example.com', 'member');
    const stored = await program.database.query(
      `SELECT to_jsonb(invitations)::text AS text FROM invitations
       UNION ALL SELECT to_jsonb(audit_entries)::text FROM audit_entries`,
    );
    expect(JSON.stringify(stored)).not.toContain(tokenOf(link));
  });

  it('replace the pending one of the same address, whose link is dead then', async () => {
    const email = `again-${randomUUID()}@example.com`;
    const first = await team.invite(email, 'member');
    const second = await team.invite(email.toUpperCase(), 'admin');
    expect(await team.lastAudit()).toMatchObject({
      action: 'invitation.replaced',
      target_id: second.id,
      details: { replaced: first.id, role: 'admin' },
    });
    const user = await signUp(url, email);
    const dead = await user.client.post('/auth/v1/invitations/accept', { token: tokenOf(first.link) });
    expect(outcomeOf(dead)).toEqual([400, 'invalid_token']);
    const alive = await user.client.post('/auth/v1/invitations/accept', { token: tokenOf(second.link) });
    expect(alive.status).toBe(200);
    expect((await team.roles())[user.userId]).toBe('admin');
  });

  it('are revoked, and their link is dead', async () => {
    const user = await signUp(url);
    const { id, link } = await team.invite(user.email, 'member');
    expect((await admin.client.send('DELETE', `${team.path}/invitations/${id}`)).status).toBe(204);
    expect(await team.lastAudit()).toMatchObject({ action: 'invitation.revoked', target_id: id });
    const dead = await user.client.post('/auth/v1/invitations/accept', { token: tokenOf(link) });
    expect(outcomeOf(dead)).toEqual([400, 'invalid_token']);
    const again = await admin.client.send('DELETE', `${team.path}/invitations/${id}`);
    expect(outcomeOf(again)).toEqual([404, 'invitation_not_found']);
  });

  it('of another organization, or unknown ones, are not found', async () => {
    const other = await Team.found(url, program.database);
    const { id } = await other.invite('new@example.com', 'member');
    for (const unknown of [id, randomUUID(), 'x']) {
      const answer = await admin.client.send('DELETE', `${team.path}/invitations/${unknown}`);
      expect(outcomeOf(answer)).toEqual([404, 'invitation_not_found']);
    }
  });

  it('are refused for a member, for a role that does not exist, and for text that is not an address', async () => {
    const invite = async (body: unknown): Promise<unknown[]> => {
      const answer = await admin.client.post(`${team.path}/invitations`, body);
      return [...outcomeOf(answer), ...pathsOf(answer)];
    };
    expect(await invite({ email: team.owner.email, role: 'member' })).toEqual([409, 'already_member']);
    expect(await invite({ email: 'new@example.com', role: 'none' })).toEqual([400, 'unknown_role']);
    expect(await invite({ email: 'new', role: 7, more: 1 })).toEqual([
      400,
      'validation_failed',
      'more',
      'role',
      'email',
    ]);
  });

  it('are neither made, nor listed, nor revoked without the permission', async () => {
    const member = await team.take('member');
    const path = `${team.path}/invitations`;
    const answers = [
      await member.client.get(path),
      await member.client.post(path, { email: 'new@example.com', role: 'member' }),
      await member.client.send('DELETE', `${path}/${randomUUID()}`),
    ];
    expect(answers.map(outcomeOf)).toEqual(Array(3).fill([403, 'permission_denied']));
  });

  describe('with a mail server', () => {
    let server: SMTPServer;
    let environment: TestEnvironment;
    let mailing: ServiceProcess;
    let operator: Client;
    let mails: string[];
    let isRefusing = false;
    /** What happens while the mail server has an invitation, and has not answered. */
    let meanwhile: (() => Promise<unknown>) | null = null;

    beforeAll(async () => {
      mails = [];
      server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        onData: (stream, _session, done) => {
          let mail = '';
          stream.on('data', (chunk: Buffer) => (mail += chunk.toString('utf8')));
          stream.on('end', () => {
            if (!isRefusing) mails.push(mail);
            // A mail of the outbox may come between.
            const happening = /^Subject: You are invited/m.test(mail) ? meanwhile : null;
            if (happening !== null) meanwhile = null;
            void Promise.resolve(happening?.()).then(() => {
              done(isRefusing ? new Error('no') : null);
            });
          });
        },
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.server.address();
      environment = await createEnvironment();
      mailing = await ServiceProcess.start({
        ...environment.variables,
        SERVICE_IDENTITY__PUBLIC_URL: 'https://id.example.com',
        SERVICE_IDENTITY__SMTP__HOST: '127.0.0.1',
        SERVICE_IDENTITY__SMTP__PORT: String(typeof address === 'object' ? address?.port : ''),
        SERVICE_IDENTITY__SMTP__FROM: 'service@example.com',
        SERVICE_IDENTITY__SMTP__TLS: 'none',
        SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
      });
      operator = new Client(mailing.url ?? '').as(ADMIN_TOKEN);
    });

    async function listedFor(email: string): Promise<ListedMail[]> {
      const { body } = await operator.get<ListedMail[]>(`/admin/v1/mail?to=${encodeURIComponent(email)}`);
      return body;
    }

    afterAll(async () => {
      await mailing.stop();
      await environment.dispose();
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    });

    it('go out within the request, and the answer has no link', async () => {
      const owner = await Team.found(mailing.url ?? '', environment.database);
      const invitation = await owner.invite('mailed@example.com', 'member');
      expect(invitation).toMatchObject({ emailed: true });
      expect(invitation).not.toHaveProperty('link');
      // Quoted-printable writes `=` as `=3D` and folds long lines.
      const mail = (mails.at(-1) ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
      expect(mail).toContain('To: mailed@example.com');
      expect(mail).toMatch(/https:\/\/id\.example\.com\/auth\/v1\/pages\/invitation\?token=[\w-]{43}/);
      const [listed] = (await owner.owner.client.get<InvitationBody[]>(`${owner.path}/invitations`)).body;
      expect(listed?.emailed).toBe(true);
    });

    it('stand with a link in the answer when the mail server refuses', async () => {
      const owner = await Team.found(mailing.url ?? '', environment.database);
      isRefusing = true;
      const invitation = await owner.invite('refused@example.com', 'member');
      isRefusing = false;
      expect(invitation).toMatchObject({ emailed: false, status: 'pending' });
      expect(tokenOf(invitation.link)).toHaveLength(43);
      expect(mailing.log).not.toContain(tokenOf(invitation.link));
    });

    it('are listed for the operator with what the mail server answered, until the organization is deleted', async () => {
      const team = await Team.found(mailing.url ?? '', environment.database);
      isRefusing = true;
      await team.invite('listed@example.com', 'member');
      isRefusing = false;
      await team.invite('listed@example.com', 'member');
      const listed = await listedFor('listed@example.com');
      expect(listed).toEqual([
        expect.objectContaining({
          kind: 'invitation',
          user_id: null,
          state: 'sent',
          smtp_code: 250,
          error: null,
        }),
        expect.objectContaining({ kind: 'invitation', user_id: null, state: 'failed', answer: '450 no' }),
      ]);
      expect((await team.owner.client.send('DELETE', team.path)).status).toBe(204);
      expect(await listedFor('listed@example.com')).toEqual([]);
    });

    it('are not sent again by an operator, who could give no role', async () => {
      const team = await Team.found(mailing.url ?? '', environment.database);
      await team.invite('again@example.com', 'member');
      const [mail] = await listedFor('again@example.com');
      const refused = await operator.post(`/admin/v1/mail/${mail?.id ?? ''}/retry`);
      expect(outcomeOf(refused)).toEqual([409, 'mail_not_repeatable']);
      expect(await listedFor('again@example.com')).toHaveLength(1);
    });

    describe('to an address with an account', () => {
      let team: Team;
      let user: SignedUp;

      beforeEach(async () => {
        team = await Team.found(mailing.url ?? '', environment.database);
        user = await signUp(mailing.url ?? '');
      });

      async function kept(): Promise<unknown[]> {
        return await environment.database.query(
          `SELECT user_id AS "userId" FROM mail_history WHERE recipient = $1 AND kind = 'invitation'`,
          [user.email],
        );
      }

      async function deleteAccount(): Promise<void> {
        expect((await user.client.send('DELETE', '/auth/v1/user', { password: PASSWORD })).status).toBe(204);
      }

      it('leave the list with the account', async () => {
        await team.invite(user.email, 'member');
        expect(await kept()).toEqual([{ userId: user.userId }]);
        await deleteAccount();
        expect(await kept()).toEqual([]);
      });

      it('leave the list with the account that had it when it was invited, or later', async () => {
        await team.invite(user.email, 'member');
        // As of an invitation from before the account was made.
        await environment.database.query(
          `UPDATE mail_history SET user_id = NULL WHERE recipient = $1 AND kind = 'invitation'`,
          [user.email],
        );
        const newEmail = `moved-${user.email}`;
        const asked = await user.client.post('/auth/v1/user/email', { email: newEmail });
        expect(asked.status).toBe(202);
        await until(() => mails.some((mail) => mail.includes(`To: ${newEmail}`)));
        const mail = mails.find((each) => each.includes(`To: ${newEmail}`)) ?? '';
        const token = /change-email\?token=([\w-]{43})/.exec(
          mail.replaceAll('=\r\n', '').replaceAll('=3D', '='),
        )?.[1];
        expect((await user.client.post('/auth/v1/user/email/complete', { token })).status).toBe(204);
        expect(await kept()).toEqual([{ userId: user.userId }]);
        await deleteAccount();
        expect(await kept()).toEqual([]);
      });

      it('are not listed where the account was deleted while the mail server had the mail', async () => {
        meanwhile = deleteAccount;
        expect((await team.invite(user.email, 'member')).emailed).toBe(true);
        expect(meanwhile).toBeNull();
        expect(await kept()).toEqual([]);
      });
    });
  });
});
