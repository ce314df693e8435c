// The program with its organization services called from inside, as the pages and the access guards call
// them; prints what each call came to. Jest cannot load Nest on Node 20, so this runs beside it.
import { Logger } from '@nestjs/common';
import { Application } from '../../../dist/src/application.js';
import { DeletedAccountMemberships } from '../../../dist/src/orgs/members/deleted-account-memberships.js';
import { InvitationAcceptance } from '../../../dist/src/orgs/index.js';
import { Invitations } from '../../../dist/src/orgs/invitations/invitations.js';
import { Members } from '../../../dist/src/orgs/members/members.js';
import { loadConfig } from '../../../dist/src/platform/config/index.js';
import { Database, rows } from '../../../dist/src/platform/database/index.js';
import { ProgramLog } from '../../../dist/src/platform/logging/index.js';

const PASSWORD = 'correct horse battery staple';
const origin = { ip: '127.0.0.1', userAgent: null };

const config = loadConfig({ env: process.env, cwd: process.cwd() });
const log = new ProgramLog(config);
Logger.overrideLogger(log);
const application = await Application.start(config, log);
const url = await application.url();
const database = application.get(Database);
const acceptance = application.get(InvitationAcceptance);
const members = application.get(Members);
const invitations = application.get(Invitations);
const memberships = application.get(DeletedAccountMemberships);

async function post(path, body, token) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
  });
  return await response.json();
}

async function codeOf(call) {
  return await call.then(
    () => 'done',
    (error) => error.code ?? String(error),
  );
}

const tokenOf = (link) => new URL(link).searchParams.get('token');
const owner = await post('signup', { email: 'owner@example.com', password: PASSWORD });
const org = await post('orgs', { slug: 'acme', name: 'Acme' }, owner.session.access_token);
const invite = async (email, role) =>
  tokenOf((await post('orgs/acme/invitations', { email, role }, owner.session.access_token)).link);

const results = {};

const newcomer = await invite('new@example.com', 'member');
results.describeNew = await acceptance.describe(newcomer);
results.describeUnknown = await acceptance.describe('unknown');
results.shortPassword = await codeOf(acceptance.acceptWithPassword(newcomer, 'short', origin));
const made = await acceptance.acceptWithPassword(newcomer, PASSWORD, origin);
results.made = [made.user.email, made.user.emailVerified, made.session !== null];
results.describeUsed = await acceptance.describe(newcomer);

const user = (await post('signup', { email: 'user@example.com', password: PASSWORD })).user;
const known = await invite('user@example.com', 'admin');
results.describeKnown = await acceptance.describe(known);
results.wrongPassword = await codeOf(acceptance.acceptWithPassword(known, 'wrong horse', origin));
const entered = await acceptance.acceptWithPassword(known, PASSWORD, origin);
results.entered = [entered.user.id === user.id, entered.session];

const setKey = (change) => rows(database.autoCommit, `UPDATE api_keys SET ${change} WHERE id = 'key'`);
await rows(
  database.autoCommit,
  `INSERT INTO api_keys (id, org_id, name, secret_hash, permissions, creator_type, created_by)
   VALUES ('key', $1, 'key', '', '{auth:members:*,data:*:*}', 'user', $2)`,
  [org.id, owner.user.id],
);
const caller = { type: 'api_key', keyId: 'key', orgId: org.id, permissions: ['*'] };
const key = { tenant: { id: org.id }, caller, origin };
results.keyDemotes = await codeOf(members.changeRole(key, user.id, 'member'));
results.keyPromotes = await codeOf(members.changeRole(key, made.user.id, 'owner'));
results.keyInvitesHigher = await codeOf(
  invitations.create(key, { email: 'friend@example.com', role: 'admin' }),
);
await setKey(`permissions = '{auth:members:*,data:*:*,storage:*:*,functions:*:*}'`);
const byKey = await invitations.create(key, { email: 'friend@example.com', role: 'member' });
results.keyInvites = [byKey.inviterType, byKey.inviterId, byKey.status];
results.keyCannotAccept = await codeOf(
  acceptance.accept(tokenOf(byKey.link), { password: PASSWORD, caller, origin }),
);
await setKey('revoked_at = now()');
results.revokedKeyInvites = await codeOf(
  invitations.create(key, { email: 'other@example.com', role: 'member' }),
);
results.revokedKeysInvitation = await codeOf(
  acceptance.acceptWithPassword(tokenOf(byKey.link), PASSWORD, origin),
);

const leave = (userId) => codeOf(database.transaction((tx) => memberships.removeFromAll(tx, userId, origin)));
results.lastOwnerDeparts = await leave(owner.user.id);
results.adminDeparts = await leave(user.id);
results.rolesLeft = (await rows(database.reader, 'SELECT role FROM members ORDER BY role')).map(
  ({ role }) => role,
);

process.stdout.write(`${JSON.stringify(results)}\n`);
await application.stop();
process.exit(0);
