// node walk.mjs URL. Signs up, in and out with Supabase's auth client. Needs the anon key of a project in ANON_KEY.
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { AuthClient } from '@supabase/auth-js';
import { serviceFetch } from './adapter.mjs';

const auth = new AuthClient({
  url: `${process.argv[2] ?? 'http://127.0.0.1:8080'}/auth/v1`,
  headers: { apikey: process.env.ANON_KEY },
  fetch: serviceFetch,
});

async function done(what, call) {
  const { data, error } = await call;
  assert.equal(error, null, `${what}: ${error?.status} ${error?.code} ${error?.message}`);
  process.stdout.write(`${what}\n`);
  return data;
}

const account = {
  email: `ada-${randomBytes(4).toString('hex')}@example.com`,
  password: 'correct horse battery',
};

await done('Sign up', auth.signUp(account));
await done('Sign out', auth.signOut());
const { session } = await done('Sign in', auth.signInWithPassword(account));
const refreshed = await done('Refresh', auth.refreshSession());
assert.notEqual(refreshed.session.refresh_token, session.refresh_token);
const { user } = await done('Who am I?', auth.getUser());
assert.equal(user.email, account.email);
await done('Sign out', auth.signOut());
const wrong = await auth.signInWithPassword({ ...account, password: 'something else' });
assert.equal(wrong.error.code, 'invalid_credentials');
process.stdout.write('A wrong password is refused\n');
