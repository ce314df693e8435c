import { signUp, signUpOwner } from '../../support/client.js';
import { ConsoleProgram, violationsOf } from '../support/console.js';
import { ScriptedMailServer } from '../../support/scripted-mail-server.js';
import { until } from '../../support/until.js';

describe('the mail outbox in the console, for an operator', () => {
  let program: ConsoleProgram;
  let mailServer: ScriptedMailServer;

  beforeAll(async () => {
    mailServer = await ScriptedMailServer.start();
    const variables = { ...mailServer.variables, SERVICE_LIMITS__MAIL_INTERVAL_SECS: '0' };
    program = await ConsoleProgram.start({}, { variables });
  });

  afterAll(async () => {
    await program.stop();
    await mailServer.stop();
  });

  afterEach(() => {
    mailServer.replyAsUsual();
    expect(program.problems.splice(0)).toEqual([]);
  });

  /** A user whose mail the server refuses until further notice. */
  async function refused(reply: string): Promise<string> {
    mailServer.on('RCPT', () => reply);
    return (await signUp(program.url)).email;
  }

  /** A user whose mail waits for an hour, as after many attempts. */
  async function waiting(): Promise<string> {
    const email = await refused('451 4.7.1 greylisted, come back later');
    await until(async () => {
      const postponed = await program.environment.database.query(
        `UPDATE outgoing_mails SET next_attempt_at = now() + interval '1 hour'
         WHERE recipient = $1 AND attempts = failed_attempt AND attempts > 0 RETURNING 1`,
        [email],
      );
      return postponed.length === 1;
    });
    return email;
  }

  it('The customer says the mail never came: the outbox shows what the mail server answered, and sends it again', async () => {
    const failed = await refused('550 5.1.1 no such mailbox');
    const page = await program.signIn(await program.operator(), '/operator/mail');
    const find = page.getByLabel('Find by address');
    await find.fill(failed);
    const first = page.getByRole('row').filter({ hasText: failed });
    await first.getByText('Failed', { exact: true }).waitFor();
    await first.getByText('550 5.1.1 no such mailbox').waitFor();
    mailServer.replyAsUsual();
    await first.getByRole('button', { name: 'Send again' }).click();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await first.getByText('250 2.0.0 message taken').waitFor();
    expect(await first.count()).toBe(2);
    // A newer mail has replaced the one that failed.
    expect(await first.getByRole('button', { name: 'Send again' }).count()).toBe(1);
    expect(mailServer.messages.at(-1)?.to).toEqual([{ address: failed, name: '' }]);

    const late = await waiting();
    await find.fill(late);
    const second = page.getByRole('row').filter({ hasText: late });
    await second.getByText('451 4.7.1 greylisted, come back later').waitFor();
    mailServer.replyAsUsual();
    await second.getByRole('button', { name: 'Send now' }).click();
    await second.getByText('Sent', { exact: true }).waitFor();
    expect(mailServer.messages.at(-1)?.to).toEqual([{ address: late, name: '' }]);
    await page.getByRole('link', { name: late }).click();
    await page.getByRole('heading', { level: 1, name: late }).waitFor();
    await page.context().close();
  });

  it('shows what became of an invitation, and says how to send it again', async () => {
    const { client, orgId } = await signUpOwner(program.url);
    const email = 'invited@example.com';
    mailServer.on('RCPT', () => '550 5.1.1 no such mailbox');
    await client.post(`/auth/v1/orgs/${orgId}/invitations`, { email, role: 'member' });
    const page = await program.signIn(await program.operator(), `/operator/mail?to=${email}`);
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText('550 5.1.1 no such mailbox').waitFor();
    await row.getByText('To send it again, invite the address again.').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await page.context().close();
  });

  it('lets a read-only operator look, and send nothing', async () => {
    const { email } = await signUp(program.url);
    const page = await program.signIn(await program.operator('read_only'), `/operator/mail?to=${email}`);
    await page.getByRole('row').getByText('Sent', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
    await page.context().close();
  });

  it('has nothing that axe objects to, in either theme', async () => {
    await refused('550 5.1.1 no such mailbox');
    const email = await waiting();
    const operator = await program.operator();
    for (const theme of ['light', 'dark'] as const) {
      const page = await program.signIn(operator, '/operator/mail', await program.context(theme));
      await page.getByRole('row').filter({ hasText: email }).waitFor();
      expect([theme, 'outbox', await violationsOf(page)]).toEqual([theme, 'outbox', []]);
      await page.goto(`${program.url}/console/operator/mail?to=nobody-at-all`);
      expect([theme, 'none', await violationsOf(page)]).toEqual([theme, 'none', []]);
      await page.context().close();
    }
  });
});
