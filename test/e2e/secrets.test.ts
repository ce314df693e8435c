import { createPrivateKey } from 'node:crypto';
import { runTokenKeyAssociatedData, signingKeyAssociatedData } from '../../src/identity/index.js';
import { openSigningKey } from '../../src/identity/signing-keys/signing-key-pair.js';
import { KeyRing } from '../../src/platform/crypto/index.js';
import { refresh, signIn } from '../support/accounts.js';
import { makeKey } from '../support/api-keys.js';
import { Client, PASSWORD, signUp, signUpOwner } from '../support/client.js';
import { createEnvironment } from '../support/environment.js';
import type { TestEnvironment } from '../support/environment.js';
import { MailServer, tokenOf } from '../support/mail-server.js';
import { recordedSecrets } from '../support/secrets/secret-journal.js';
import { searchFor } from '../support/secrets/secret-search.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const NEW_PASSWORD = 'a wholly other password';
const ADMIN_TOKEN = 'operator-token-of-this-deployment';
const SMTP_PASSWORD = 'the password of the mail server';

let environment: TestEnvironment;
let mailServer: MailServer;
let service: ServiceProcess;
let anonymous: Client;
/** Made by the flows below, each of a kind of its own. */
const made: Record<string, string> = {};

beforeAll(async () => {
  environment = await createEnvironment();
  mailServer = await MailServer.start({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) => {
      if (password === SMTP_PASSWORD) done(null, { user: 'service' });
      else done(new Error('wrong'));
    },
  });
  service = await ServiceProcess.start({
    ...environment.variables,
    ...mailServer.variables,
    SERVICE_IDENTITY__SMTP__USER: 'service',
    SERVICE_IDENTITY__SMTP__PASSWORD: SMTP_PASSWORD,
    SERVICE_IDENTITY__REFRESH_REUSE_GRACE_SECS: '60',
    SERVICE_ADMIN__TOKEN: ADMIN_TOKEN,
    SERVICE_LOG__LEVEL: 'debug',
  });
  anonymous = new Client(service.url ?? '');
  await account();
  await organization();
  await signingKeys();
  await mailsThatWait();
});

afterAll(async () => {
  await service.stop();
  await mailServer.down();
  await environment.dispose();
});

/** Sign-up, verification, sign-in, refresh and its repetition, change of password, recovery. */
async function account(): Promise<void> {
  const ada = await signUp(anonymous.url);
  made.accessToken = ada.accessToken;
  made.usedVerificationToken = tokenOf(await mailServer.mailTo(ada.email));
  await expectStatus(200, anonymous.post('/auth/v1/verify', { token: made.usedVerificationToken }));
  const pair = await signIn(anonymous, ada.email, PASSWORD);
  made.spentRefreshToken = pair.body.refresh_token;
  made.refreshToken = (await refresh(anonymous, pair.body.refresh_token)).body.refresh_token;
  expect((await refresh(anonymous, pair.body.refresh_token)).body.refresh_token).toBe(made.refreshToken);
  const change = { password: NEW_PASSWORD, current_password: PASSWORD };
  await expectStatus(200, ada.client.send('PATCH', '/auth/v1/user', change));
  await expectStatus(401, signIn(anonymous, ada.email, 'not the password of ada'));
  await expectStatus(204, anonymous.post('/auth/v1/recover', { email: ada.email }));
  made.usedRecoveryToken = tokenOf(await mailServer.mailTo(ada.email, 2));
  const recovery = { token: made.usedRecoveryToken, password: PASSWORD };
  await expectStatus(200, anonymous.post('/auth/v1/recover/complete', recovery));
  const bea = await signUp(anonymous.url);
  made.verificationToken = tokenOf(await mailServer.mailTo(bea.email));
  await expectStatus(204, anonymous.post('/auth/v1/recover', { email: bea.email }));
  made.recoveryToken = tokenOf(await mailServer.mailTo(bea.email, 2));
}

/** Invitations used and unused, and an API key in both headers. */
async function organization(): Promise<void> {
  const owner = await signUpOwner(anonymous.url);
  await mailServer.mailTo(owner.email);
  for (const [name, email] of [
    ['invitationToken', 'guest@example.com'],
    ['usedInvitationToken', 'member@example.com'],
  ] as const) {
    const path = `/auth/v1/orgs/${owner.orgId}/invitations`;
    await expectStatus(201, owner.client.post(path, { email, role: 'member' }));
    made[name] = tokenOf(await mailServer.mailTo(email));
  }
  const acceptance = { token: made.usedInvitationToken, password: PASSWORD };
  await expectStatus(200, anonymous.post('/auth/v1/invitations/accept', acceptance));
  made.apiKey = (await makeKey(owner.client, owner.orgId, ['data:*:read'])).key;
  const check = { permissions: ['data:orders:read'] };
  await expectStatus(200, anonymous.as(made.apiKey).post('/auth/v1/permissions/check', check));
  await expectStatus(
    200,
    anonymous.with({ 'x-api-key': made.apiKey }).post('/auth/v1/permissions/check', check),
  );
}

async function signingKeys(): Promise<void> {
  const operator = anonymous.as(ADMIN_TOKEN);
  await expectStatus(202, operator.post('/admin/v1/signing-keys/rotate', {}));
  const keyRing = new KeyRing([environment.variables.SERVICE_IDENTITY__DATA_KEY ?? '']);
  const keys = await environment.database.query<{ kid: string; sealed: Buffer; sealedForRuns: Buffer }>(
    `SELECT kid, sealed_private_key AS sealed, sealed_run_private_key AS "sealedForRuns" FROM signing_keys
     WHERE sealed_private_key IS NOT NULL`,
  );
  expect(keys).toHaveLength(2);
  for (const { kid, sealed, sealedForRuns } of keys) {
    const pem = keyRing.open(sealed, signingKeyAssociatedData(kid)).toString('utf8');
    const { d = '', p = '' } = createPrivateKey(pem).export({ format: 'jwk' });
    const runKey = openSigningKey(keyRing, sealedForRuns, runTokenKeyAssociatedData(kid)).export({
      format: 'jwk',
    });
    made[`${kid} key of run tokens`] = runKey.d ?? '';
    made[`${kid} exponent`] = d;
    made[`${kid} prime`] = p;
    const lines = pem.split('\n').filter((line) => line.length === 64);
    made[`${kid} PEM`] = lines.at(10) ?? '';
  }
}

/** A link in an answer, and a mail in the outbox, since the mail server is down. */
async function mailsThatWait(): Promise<void> {
  const owner = await signUpOwner(anonymous.url);
  await mailServer.mailTo(owner.email);
  await mailServer.down();
  const invitation = await owner.client.post<{ link: string }>(`/auth/v1/orgs/${owner.orgId}/invitations`, {
    email: 'other@example.com',
    role: 'member',
  });
  made.linkedToken = new URL(invitation.body.link).searchParams.get('token') ?? '';
  await expectStatus(204, anonymous.post('/auth/v1/recover', { email: owner.email }));
  await until(async () => {
    const waiting = await environment.database.query('SELECT FROM outgoing_mails WHERE attempts > 0');
    return waiting.length === 1;
  });
}

async function expectStatus(status: number, answer: Promise<{ status: number }>): Promise<void> {
  expect((await answer).status).toBe(status);
}

function secrets(): string[] {
  const configured = [environment.variables.SERVICE_IDENTITY__DATA_KEY ?? '', ADMIN_TOKEN, SMTP_PASSWORD];
  return [...recordedSecrets(), ...Object.values(made), ...configured, PASSWORD, NEW_PASSWORD];
}

/** Every row of every table, as a dump has them: binary columns in hexadecimal. */
async function dump(): Promise<string> {
  const tables = await environment.database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const found = await environment.database.query<{ row: string }>(
      `SELECT row_to_json(line)::text AS row FROM ${name} line`,
    );
    parts.push(...found.map(({ row }) => `${name} ${row}`));
  }
  return parts.join('\n');
}

test('a full dump of the database holds no usable token, key, password or link', async () => {
  const text = await dump();
  for (const table of [
    'users',
    'sessions',
    'refresh_tokens',
    'one_time_tokens',
    'outgoing_mails',
    'mail_history',
    'invitations',
    'api_keys',
    'signing_keys',
    'audit_entries',
  ]) {
    expect(text).toContain(`service.${table} {`);
  }
  expect(searchFor(['guest@example.com'])(text)).toEqual(['guest@example.com']);
  expect(Object.values(made)).not.toContain('');
  expect(searchFor(secrets())(text)).toEqual([]);
});

test('the debug log of all that holds none either', async () => {
  await until(() => service.log.includes('could not be sent'));
  expect(service.log).toContain('"level":"debug"');
  expect(service.log).toContain('/auth/v1/recover/complete');
  expect(searchFor(secrets())(service.log)).toEqual([]);
});
