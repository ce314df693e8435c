import { randomUUID } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../../support/client.js';
import { tokenOf } from '../../support/mail-server.js';
import { mailSettings, startMailingProjects } from '../../support/mailing-project.js';
import type { MailingProjects, ProjectSession } from '../../support/mailing-project.js';
import type { TestProject } from '../../support/project-environment.js';

let running: MailingProjects;
let project: TestProject;

beforeAll(async () => {
  running = await startMailingProjects();
  project = await running.project();
});

afterAll(async () => {
  await running.stop();
});

function freshAddress(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

describe('mail settings', () => {
  it('are shown without the password, which lies sealed for its row', async () => {
    const shown = { ...mailSettings(running.mailServer), user: 'acme' };
    const settings = { ...shown, password: 'the mail password' };
    const mine = await running.project({ mail: false });
    expect(await mine.service.get('/auth/v1/mail')).toMatchObject({
      status: 404,
      body: { error: { code: 'mail_settings_not_found' } },
    });
    const put = await mine.service.send('PUT', '/auth/v1/mail', settings);
    expect([put.status, put.body]).toEqual([200, shown]);
    expect((await mine.service.get('/auth/v1/mail')).body).toEqual(shown);
    const [row] = await running.environment.database.query<{ sealed_password: Buffer }>(
      'SELECT sealed_password FROM project_mail_settings WHERE project_id = $1',
      [mine.id],
    );
    expect(row?.sealed_password.toString('latin1')).not.toContain(settings.password);
    const other = await running.project();
    await running.environment.database.query(
      `UPDATE project_mail_settings SET username = 'x', sealed_password = $2 WHERE project_id = $1`,
      [other.id, row?.sealed_password],
    );
    const moved = await other.service.post('/auth/v1/mail/test', { to: freshAddress() });
    expect(moved).toMatchObject({ status: 502, body: { error: { code: 'mail_failed' } } });
    expect((await mine.service.send('DELETE', '/auth/v1/mail')).status).toBe(204);
    expect((await mine.service.send('DELETE', '/auth/v1/mail')).status).toBe(404);
  });

  it.each([
    [{ host: 'http://smtp.example.com' }, 'host'],
    [{ host: '169.254.169.254' }, 'host'],
    [{ host: '0x7f000001' }, 'host'],
    [{ port: 0 }, 'port'],
    [{ from: 'nobody' }, 'from'],
    [{ from: 'a..b@example.com' }, 'from'],
    [{ from: 'Acme <"a@b"@example.com>' }, 'from'],
    [{ from: 'A <a@b.c>\r\nBcc: x@y.z' }, 'from'],
    [{ tls: 'ssl' }, 'tls'],
    [{ user: 'acme' }, 'password'],
    [{ password: 'acme' }, 'user'],
    [{ nonsense: 1 }, 'nonsense'],
  ])('with %j are refused at %s', async (change, path) => {
    const answer = await project.service.send('PUT', '/auth/v1/mail', {
      ...mailSettings(running.mailServer),
      ...change,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
  });

  it('are tried out: 204 and a mail, or 502 with what the server says', async () => {
    const to = freshAddress();
    expect((await project.service.post('/auth/v1/mail/test', { to })).status).toBe(204);
    const { email } = await running.mailServer.mailTo(to);
    expect(email.subject).toContain('Test mail');
    expect(email.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    const { port } = running.mailServer;
    await running.mailServer.down();
    const refused = await project.service.post<{ error: { message: string } }>('/auth/v1/mail/test', { to });
    await running.mailServer.up();
    expect(running.mailServer.port).toBe(port);
    expect(refused.status).toBe(502);
    expect(refused.body.error.message).toContain('there is no connection to it');
    const mute = await running.project({ mail: false });
    expect((await mute.service.post('/auth/v1/mail/test', { to })).status).toBe(503);
  });
});

describe('templates', () => {
  const own = {
    subject: 'Come in, {{email}}',
    html: '<p>{{project}} <a href="{{link}}">in</a> {{#if token}}<code>{{token}}</code>{{/if}}</p>',
    text: 'Come in:\n\n{{link}}\n',
  };

  it.each(['magic_link', 'recovery', 'invite'])(
    '%s is replaced, and reset to the built-in one',
    async (name) => {
      const path = `/auth/v1/templates/${name}`;
      const builtIn = await project.service.get(path);
      expect(builtIn).toMatchObject({ status: 200, body: { name, builtin: true } });
      const put = await project.service.send('PUT', path, own);
      expect([put.status, put.body]).toEqual([200, { name, ...own, builtin: false }]);
      expect((await project.service.get(path)).body).toEqual(put.body);
      expect((await project.service.send('DELETE', path)).status).toBe(204);
      expect((await project.service.send('DELETE', path)).status).toBe(204);
      expect((await project.service.get(path)).body).toEqual(builtIn.body);
    },
  );

  it('of the project are what its mails say, and those of another are not', async () => {
    const [mine, other] = [await running.project(), await running.project()];
    await mine.service.send('PUT', '/auth/v1/templates/invite', own);
    const [email, elsewhere] = [freshAddress(), freshAddress()];
    await mine.service.post('/auth/v1/invite', { email });
    await other.service.post('/auth/v1/invite', { email: elsewhere });
    const mail = await running.mailServer.mailTo(email);
    expect(mail.email.subject).toBe(`Come in, ${email}`);
    expect(mail.email.html).toContain(`<code>${tokenOf(mail)}</code>`);
    const theirs = await running.mailServer.mailTo(elsewhere);
    expect(theirs.email.subject).toBe(`You are invited to Project ${other.ref}`);
  });

  it.each([
    [{ html: '<p>no way in</p>' }, 'html'],
    [{ text: 'no way in' }, 'text'],
    [{ text: '{{#unless link}}{{link}}{{/unless}}' }, 'text'],
    [{ subject: '{{#if link}}' }, 'subject'],
    [{ html: '{{link' }, 'html'],
    [{ html: '<a href="{{{link}}}">' }, 'html'],
    [{ html: '{{link}} {{constructor.constructor}}' }, 'html'],
    [{ text: '{{link}} {{lookup this "x"}}' }, 'text'],
    [{ text: undefined }, 'text'],
  ])('with %j are refused at %s', async (change, path) => {
    const answer = await project.service.send('PUT', '/auth/v1/templates/invite', { ...own, ...change });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
    expect((await project.service.get('/auth/v1/templates/invite')).body).toMatchObject({ builtin: true });
  });

  it('of another name do not exist', async () => {
    for (const [method, sent] of [['GET'], ['PUT', own], ['DELETE']] as const)
      expect((await project.service.send(method, '/auth/v1/templates/welcome', sent)).status).toBe(404);
  });
});

describe('users, by the service key', () => {
  async function signUp(at: TestProject): Promise<ProjectSession> {
    const credentials = { email: freshAddress(), password: PASSWORD };
    return (await at.anon.post<ProjectSession>('/auth/v1/signup', credentials)).body;
  }

  it.each(['email', 'search'])('are found by %s in every spelling of their address', async (parameter) => {
    const mine = await running.project();
    const local = `ada${randomUUID().slice(0, 8)}`;
    const email = `${local}@xn--bcher-kva.example`;
    await mine.anon.post('/auth/v1/signup', { email, password: PASSWORD });
    for (const spelling of [`${local}@bücher.example`, `"${local}"@BÜCHER.example`, ` ${email} `]) {
      const query = new URLSearchParams({ [parameter]: spelling }).toString();
      const found = await mine.service.get<{ email: string }[]>(`/auth/v1/users?${query}`);
      expect(found.body.map((user) => user.email)).toEqual([email]);
    }
  });

  it('are listed, shown, disabled, enabled and deleted', async () => {
    const mine = await running.project();
    const { user, access_token, refresh_token } = await signUp(mine);
    await signUp(mine);
    const listed = await mine.service.get<unknown[]>(`/auth/v1/users?email=${user.email}`);
    const shown = {
      id: user.id,
      email: user.email,
      email_verified: false,
      disabled: false,
      disabled_at: null,
      has_password: true,
    };
    expect(listed.body).toEqual([{ ...shown, created_at: expect.any(String) }]);
    expect((await mine.service.get<unknown[]>('/auth/v1/users')).body).toHaveLength(2);
    const path = `/auth/v1/users/${user.id}`;
    expect((await mine.service.get(path)).body).toMatchObject(shown);

    expect((await mine.service.send('PATCH', path, { disabled: true })).body).toMatchObject({
      disabled: true,
    });
    expect((await mine.anon.post('/auth/v1/token', { refresh_token })).status).toBe(401);
    expect((await mine.anon.as(access_token).get('/auth/v1/user')).status).toBe(401);
    const credentials = { email: user.email, password: PASSWORD };
    expect((await mine.anon.post('/auth/v1/token', credentials)).status).toBe(401);
    await mine.service.send('PATCH', path, { disabled: false });
    expect((await mine.anon.post('/auth/v1/token', credentials)).status).toBe(200);

    expect((await mine.service.send('DELETE', path)).status).toBe(204);
    expect((await mine.service.get(path)).status).toBe(404);
    expect((await mine.anon.post('/auth/v1/signup', credentials)).status).toBe(201);
  });

  it('of another project do not exist', async () => {
    const { user } = await signUp(await running.project());
    const path = `/auth/v1/users/${user.id}`;
    for (const [method, sent] of [['GET'], ['PATCH', { disabled: true }], ['DELETE']] as const)
      expect((await project.service.send(method, path, sent)).status).toBe(404);
    expect((await project.service.get<unknown[]>(`/auth/v1/users?email=${user.email}`)).body).toEqual([]);
  });
});

describe('what belongs to one project', () => {
  it('is unknown to every other: refresh tokens, links and invitations', async () => {
    const [mine, other] = [await running.project(), await running.project()];
    const email = freshAddress();
    const session = await mine.anon.post<ProjectSession>('/auth/v1/signup', { email, password: PASSWORD });
    const { refresh_token } = session.body;
    expect((await other.anon.post('/auth/v1/token', { refresh_token })).status).toBe(401);
    expect((await other.anon.post('/auth/v1/logout', { refresh_token })).status).toBe(204);
    await mine.anon.post('/auth/v1/recover', { email });
    const recovery = tokenOf(await running.mailServer.mailTo(email));
    const guest = freshAddress();
    await mine.service.post('/auth/v1/invite', { email: guest });
    const invitation = tokenOf(await running.mailServer.mailTo(guest));
    await mine.anon.post('/auth/v1/magic-link', { email });
    const magic = tokenOf(await running.mailServer.mailTo(email, 2));

    const uses = [
      ['/auth/v1/recover/complete', { token: recovery, password: PASSWORD }],
      ['/auth/v1/invite/accept', { token: invitation, password: PASSWORD }],
      ['/auth/v1/verify', { token: magic }],
    ] as const;
    for (const [path, sent] of uses)
      expect(await other.anon.post(path, sent)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_token' } },
      });
    expect((await other.anon.post('/auth/v1/token', { email, password: PASSWORD })).status).toBe(401);
    expect((await mine.anon.post('/auth/v1/token', { refresh_token })).status).toBe(200);
    for (const [path, sent] of uses) expect((await mine.anon.post(path, sent)).status).toBe(200);
  });
});
