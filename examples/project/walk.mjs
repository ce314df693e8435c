// node examples/project/walk.mjs [URL]. Walks through the identity of a project against a running server in the
// project profile, and checks every answer. Needs the operator's token in ADMIN_TOKEN.
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { MailSink } from './mail-sink.mjs';

const url = process.argv[2] ?? process.env.SERVICE_URL ?? 'http://127.0.0.1:8080';
const adminToken = process.env.ADMIN_TOKEN;
const password = 'correct horse battery';
const tag = randomBytes(4).toString('hex');

async function call(what, status, path, { key, bearer, body, method } = {}) {
  const answer = await fetch(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === undefined ? {} : { apikey: key }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  assert.equal(answer.status, status, `${what}: ${path} answered ${answer.status} ${text}`);
  process.stdout.write(`${String(status)}  ${what}\n`);
  return text === '' ? null : JSON.parse(text);
}

function tokenIn(mail) {
  return decodeURIComponent(/\?token=([^\s"<]+)/.exec(mail)[1]);
}

async function walk(mails) {
  const project = await call('The operator makes a project, with two keys', 201, '/admin/v1/projects', {
    bearer: adminToken,
    body: { ref: `acme-${tag}`, name: 'Acme' },
  });
  const [anon, service] = [project.anon_key, project.service_key];

  const email = `ada-${tag}@example.com`;
  const signedUp = await call('Sign up with the anon key', 201, '/auth/v1/signup', {
    key: anon,
    body: { email, password },
  });
  const jwks = createRemoteJWKSet(new URL(`${url}/auth/v1/keys?ref=${project.ref}`));
  const { payload } = await jwtVerify(signedUp.access_token, jwks, { audience: 'authenticated' });
  assert.equal(payload.ref, project.ref);
  assert.equal(payload.role, 'authenticated');

  const session = await call('Sign in: email and password', 200, '/auth/v1/token', {
    key: anon,
    body: { email, password },
  });
  await call('Who am I?', 200, '/auth/v1/user', { bearer: session.access_token });
  await call('A key is no user', 401, '/auth/v1/user', { bearer: service });
  const used = { refresh_token: session.refresh_token };
  const { refresh_token } = await call('Refresh: the token alone', 200, '/auth/v1/token', {
    key: anon,
    body: used,
  });
  await call('A used refresh token is unknown', 401, '/auth/v1/token', { key: anon, body: used });
  await call('Log out', 204, '/auth/v1/logout', { key: anon, body: { refresh_token } });

  const guest = `guest-${tag}@example.com`;
  await call('No invitation without mail settings', 503, '/auth/v1/invite', {
    key: service,
    body: { email: guest },
  });
  await call('The mail server of the project', 200, '/auth/v1/mail', {
    method: 'PUT',
    key: service,
    body: { host: '127.0.0.1', port: mails.port, from: 'Acme <hello@acme.example>', tls: 'none' },
  });
  await call('Does it work?', 204, '/auth/v1/mail/test', { key: service, body: { to: email } });
  await mails.sink.next();

  await call('A template of our own', 200, '/auth/v1/templates/invite', {
    method: 'PUT',
    key: service,
    body: { subject: 'Join {{project}}', html: '<a href="{{link}}">Join</a>', text: 'Join:\n\n{{link}}\n' },
  });
  await call('Invite', 201, '/auth/v1/invite', { key: service, body: { email: guest } });
  const invitation = await mails.sink.next();
  assert.match(invitation, /^Subject: Join Acme/m);
  await call('Accept, by the token of the mail', 200, '/auth/v1/invite/accept', {
    key: anon,
    body: { token: tokenIn(invitation), password },
  });
  await call('Invite once more', 409, '/auth/v1/invite', { key: service, body: { email: guest } });

  await call('Ask for a magic link', 200, '/auth/v1/magic-link', { key: anon, body: { email } });
  await call('Ask again: the answer is the same, but no mail leaves', 200, '/auth/v1/magic-link', {
    key: anon,
    body: { email },
  });
  const link = tokenIn(await mails.sink.next());
  await call('Sign in by the magic link', 200, '/auth/v1/verify', { key: anon, body: { token: link } });
  await call('It works once', 400, '/auth/v1/verify', { key: anon, body: { token: link } });

  await call('Ask for a new password', 200, '/auth/v1/recover', { key: anon, body: { email } });
  await call('Set it', 200, '/auth/v1/recover/complete', {
    key: anon,
    body: { token: tokenIn(await mails.sink.next()), password: `${password}!` },
  });
  const [user] = await call('Find the user', 200, `/auth/v1/users?email=${email}`, { key: service });
  await call('Disable the user', 200, `/auth/v1/users/${user.id}`, {
    method: 'PATCH',
    key: service,
    body: { disabled: true },
  });
  await call('Nobody signs in there now', 401, '/auth/v1/token', {
    key: anon,
    body: { email, password: `${password}!` },
  });
}

const sink = new MailSink();
const port = await sink.listen();
try {
  await walk({ sink, port });
  process.stdout.write('The walk is done.\n');
} finally {
  sink.close();
}
