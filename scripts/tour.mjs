// npm run tour [-- URL]. Walks the README against a running server and checks every answer on the way.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Guide, TourError } from './tour/guide.mjs';

const RUN_LIMIT_MS = 30_000;
const POLL_MS = 100;

const url = process.argv[2] ?? process.env.SERVICE_URL ?? 'http://127.0.0.1:8080';
const tag = randomBytes(4).toString('hex');
const email = `ada-${tag}@example.com`;
const password = 'correct horse battery';
const slug = `acme-${tag}`;

try {
  await tour(new Guide(url));
} catch (error) {
  if (!(error instanceof TourError)) throw error;
  process.stderr.write(`\n${error.message}\n`);
  process.exitCode = 1;
}

async function tour(guide) {
  await guide.step('Is anyone there? The state of the whole deployment.', {
    path: '/health',
    expect: { status: 200, body: { status: 'ok', capabilities: { auth: 'ok', jobs: 'ok' } } },
    hint: 'A part of the deployment is not working: "checks" above says which.',
  });

  await guide.step('Sign up: an account, and its first session.', {
    path: '/auth/v1/signup',
    body: { email, password, metadata: { name: 'Ada' } },
    expect: { status: 201, body: { user: { email, email_verified: false } } },
  });
  const signedIn = await guide.step('Sign in with the password: a new session.', {
    path: '/auth/v1/token?grant_type=password',
    body: { email, password },
    expect: { status: 200, body: { token_type: 'bearer', user: { email } } },
  });
  await guide.step('A wrong password. An unknown address gets the same answer.', {
    path: '/auth/v1/token?grant_type=password',
    body: { email, password: 'wrong horse battery' },
    expect: { status: 401, body: { error: { code: 'invalid_credentials' } } },
  });

  const ada = { Authorization: `Bearer ${signedIn.access_token}` };
  const org = await guide.step('Make an organization; its maker owns it.', {
    path: '/auth/v1/orgs',
    headers: ada,
    body: { slug, name: 'Acme Inc.' },
    expect: { status: 201, body: { slug, name: 'Acme Inc.' } },
  });
  await guide.step('Who am I, and where do I belong?', {
    path: '/auth/v1/user',
    headers: ada,
    expect: {
      status: 200,
      body: { email, metadata: { name: 'Ada' }, orgs: [{ id: org.id, role: 'owner' }] },
    },
  });
  const adaInAcme = { ...ada, 'X-Service-Org': slug };
  await guide.step('What may I do in this organization? The header takes its slug or its id.', {
    path: '/auth/v1/permissions',
    headers: adaInAcme,
    expect: { status: 200, body: { org: { id: org.id, slug }, role: 'owner', permissions: ['*'] } },
  });

  const manifest = JSON.parse(
    await readFile(new URL('../examples/hello/jobs.json', import.meta.url), 'utf8'),
  );
  const created = manifest.jobs.map(({ id }) => ({ id, change: 'created' }));
  await guide.step('Register the jobs of examples/hello/jobs.json: all of them, or none.', {
    path: '/jobs/v1/jobs',
    headers: adaInAcme,
    body: manifest,
    expect: { status: 200, body: { jobs: created } },
    hint: 'Does the server serve examples/hello/functions? Start it with SERVICE_FUNCTIONS__DIR set to that folder.',
  });

  const trigger = { headers: { ...adaInAcme, 'Idempotency-Key': tag }, body: { payload: { name: 'Ada' } } };
  const greeting = await guide.step('Run the job greet now. 202 means: the run is stored and will end.', {
    path: '/jobs/v1/jobs/greet/trigger',
    ...trigger,
    expect: { status: 202, body: { job_id: 'greet', attempt: 0, max_attempts: 1 } },
  });
  await guide.step('The same request with the same Idempotency-Key is the same run, not a second one.', {
    path: '/jobs/v1/jobs/greet/trigger',
    ...trigger,
    expect: { status: 202, body: { id: greeting.id } },
  });
  await finish(guide, adaInAcme, greeting.id, 'The run has called the function, and keeps its answer.', {
    status: 'completed',
    payload: { name: 'Ada' },
    result: { ok: true, greeting: 'Hello, Ada!' },
    attempts: [{ number: 1, outcome: 'completed', status_code: 200 }],
  });

  const flaky = await guide.step('Run flaky, whose function answers 503 twice.', {
    path: '/jobs/v1/jobs/flaky/trigger',
    headers: adaInAcme,
    body: {},
    expect: { status: 202, body: { job_id: 'flaky', max_attempts: 4 } },
  });
  const survived = await finish(
    guide,
    adaInAcme,
    flaky.id,
    'Its retries, 200 and 400 ms apart, carried it.',
    {
      status: 'completed',
      attempt: 3,
      attempts: [
        { number: 1, outcome: 'failed', status_code: 503 },
        { number: 2, outcome: 'failed', status_code: 503 },
        { number: 3, outcome: 'completed', status_code: 200 },
      ],
    },
  );
  guide.check(
    'the pause before the second call, ms',
    'at least 200',
    pauseBefore(survived, 1),
    (ms) => ms >= 200,
  );
  guide.check(
    'the pause before the third call, ms',
    'at least 400',
    pauseBefore(survived, 2),
    (ms) => ms >= 400,
  );

  const rejected = await guide.step('Run reject, whose function answers 422: a retry would not help.', {
    path: '/jobs/v1/jobs/reject/trigger',
    headers: adaInAcme,
    body: { payload: { items: [] } },
    expect: { status: 202, body: { job_id: 'reject', max_attempts: 4 } },
  });
  await finish(guide, adaInAcme, rejected.id, 'It failed at the first call, with retries left.', {
    status: 'failed',
    attempt: 1,
    error: { code: 'handler_fatal', message: 'this order has no items' },
  });
  await guide.step('The runs of the organization, newest first.', {
    path: '/jobs/v1/runs?limit=2',
    headers: adaInAcme,
    expect: { status: 200, body: [{ id: rejected.id }, { id: flaky.id }] },
  });

  const refreshed = await guide.step('Exchange the refresh token for a new pair. It is good for one use.', {
    path: '/auth/v1/token?grant_type=refresh_token',
    body: { refresh_token: signedIn.refresh_token },
    expect: { status: 200, body: { token_type: 'bearer', user: { email } } },
  });
  await guide.step('Use the old one again, as a thief would: refused, and the session is ended.', {
    path: '/auth/v1/token?grant_type=refresh_token',
    body: { refresh_token: signedIn.refresh_token },
    expect: { status: 401, body: { error: { code: 'refresh_token_reused' } } },
    hint: 'With identity.refresh_reuse_grace_secs above 0 the answer may be 200 for so long.',
  });
  await guide.step('So the new one is worthless too: nobody can tell which holder was the thief.', {
    path: '/auth/v1/token?grant_type=refresh_token',
    body: { refresh_token: refreshed.refresh_token },
    expect: { status: 401, body: { error: { code: 'session_revoked' } } },
  });

  const metrics = await guide.step(
    'What Prometheus would read here. Each instance counts the runs that ended on it.',
    {
      path: '/metrics',
      expect: { status: 200 },
      show: (text) => text.split('\n').filter((line) => /^service_jobs_(?!.*_bucket)/.test(line)),
    },
  );
  for (const name of ['runs_total', 'queue_depth', 'run_duration_seconds_count']) {
    guide.check(
      `the metric service_jobs_${name}`,
      'present',
      metrics.includes(`\nservice_jobs_${name}`),
      Boolean,
    );
  }
  guide.done();
}

/** Waits until the run has ended, then shows and checks it. */
async function finish(guide, headers, runId, title, body) {
  const giveUpAt = Date.now() + RUN_LIMIT_MS;
  const path = `/jobs/v1/runs/${runId}`;
  while (Date.now() < giveUpAt) {
    const run = await guide.ask({ path, headers });
    if (run.status !== 200 || ['completed', 'failed'].includes(run.body.status)) break;
    await wait(POLL_MS);
  }
  return await guide.step(title, {
    path,
    headers,
    expect: { status: 200, body },
    hint: 'If the run has not ended at all: does /health show a worker, and what does the log say?',
  });
}

/** Milliseconds between the end of one attempt and the start of the next. */
function pauseBefore({ attempts }, index) {
  return Date.parse(attempts[index].started_at) - Date.parse(attempts[index - 1].completed_at);
}
