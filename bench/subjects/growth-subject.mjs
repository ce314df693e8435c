import { setTimeout as wait } from 'node:timers/promises';
import { withConnection } from '../measuring/database.mjs';
import { copyRows } from '../measuring/row-copies.mjs';
import { ownerWithJob, triggerUrlOf } from './job-subjects.mjs';
import { ask, PASSWORD, signUp, startService } from './service.mjs';

const SLUG = 'bench';
const USER = { email: 'grace@example.com', password: PASSWORD };
const POLL_MS = 5;
const uuid = `lpad(to_hex(number), 32, '0')`;
/** Each tenth run belongs to the organization whose requests are measured, the others to all copies in turn. */
const tenant = (organizations) =>
  `CASE WHEN number % 10 = 0 THEN template.json ->> 'tenant_id' ELSE lpad(to_hex(number % ${organizations} + 1), 32, '0') END`;
const runId = `'run_00' || lpad(number::text, 24, '0')`;

/** Service with one organization whose work is measured, in a database that grows around it. */
export async function startGrowthService(servers, handler) {
  const { program, databaseUrl } = await startService(servers, 'service_growth', {
    SERVICE_FUNCTIONS__URL: `${handler.origin}/{handler}`,
  });
  const token = await ownerWithJob(program.url, SLUG);
  let session = await signUp(program.url, USER.email);
  let number = 0;
  const runs = [];

  async function run() {
    number += 1;
    const { id } = await ask(triggerUrlOf(program), { token, body: { payload: { number } } });
    runs.push(id);
    while ((await readRun(id)).completed_at === null) await wait(POLL_MS);
  }
  const readRun = (id) => ask(`${program.url}/jobs/v1/runs/${id}`, { token });
  await run();
  await withConnection(databaseUrl, (client) => client.query('CREATE EXTENSION pg_stat_statements'));

  return {
    program,
    databaseUrl,
    /** What is done again and again, by its name. */
    acts: {
      'sign-in': () => ask(`${program.url}/auth/v1/token?grant_type=password`, { body: USER }),
      refresh: async () => {
        const body = { refresh_token: session.refresh_token };
        session = await ask(`${program.url}/auth/v1/token?grant_type=refresh_token`, { body });
      },
      'who am I': () => ask(`${program.url}/auth/v1/user`, { token }),
      run,
      'list of runs': () => ask(`${program.url}/jobs/v1/runs`, { token }),
      'one run': () => readRun(runs[0]),
    },
    grow: (from, to) => withConnection(databaseUrl, (client) => grow(client, runs[0], from, to)),
  };
}

/** @param from the sizes so far @param to the sizes to reach */
async function grow(client, run, from, to) {
  // Without checks of foreign keys, row by row; the copies keep them.
  await client.query(`SET session_replication_role = replica`);
  const copy = (table, template, kind, changes) =>
    copyRows(client, { table, template, changes, from: from[kind] + 1, to: to[kind] });
  const ofUser = `user_id = (SELECT id FROM users WHERE email = '${USER.email}')`;
  const ofOrg = `org_id = (SELECT id FROM organizations WHERE slug = '${SLUG}')`;
  await copy(
    'users',
    `email = '${USER.email}'`,
    'users',
    `jsonb_build_object('id', ${uuid}, 'email', 'u' || number || '@example.com')`,
  );
  await copy('sessions', ofUser, 'users', `jsonb_build_object('id', ${uuid}, 'user_id', ${uuid})`);
  await copy(
    'refresh_tokens',
    `session_id IN (SELECT id FROM sessions WHERE ${ofUser})`,
    'users',
    `jsonb_build_object('session_id', ${uuid}, 'token_hash', '\\x' || encode(sha256(number::text::bytea), 'hex'))`,
  );
  await copy(
    'organizations',
    `slug = '${SLUG}'`,
    'organizations',
    `jsonb_build_object('id', ${uuid}, 'slug', 'o' || number)`,
  );
  for (const role of ['owner', 'admin', 'member'])
    await copy(
      'roles',
      `name = '${role}' AND ${ofOrg}`,
      'organizations',
      `jsonb_build_object('org_id', ${uuid})`,
    );
  await copy('members', ofOrg, 'organizations', `jsonb_build_object('org_id', ${uuid}, 'user_id', ${uuid})`);
  await copy(
    'runs',
    `id = '${run}'`,
    'runs',
    `jsonb_build_object('id', ${runId}, 'tenant_id', ${tenant(to.organizations)})`,
  );
  await client.query('VACUUM (ANALYZE)');
}
