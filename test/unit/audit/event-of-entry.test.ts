import { accountEvent, ANONYMOUS } from '../../../src/audit/index.js';
import { eventsOf } from '../../../src/audit/event-of-entry.js';
import { EVENT_TYPES } from '../../../src/tenancy/index.js';

const TENANT = '0197a000-0000-7000-8000-000000000001';
const USER = '0197a000-0000-7000-8000-000000000002';

describe('the events of an audit entry', () => {
  it('tell of a reused refresh token, in the realm of its account', () => {
    const target = { type: 'session', id: 'the session' };
    const reuse = { actor: ANONYMOUS, action: 'session.refresh_token_reused', target, origin: null };
    const [event, ...others] = eventsOf(accountEvent(USER, reuse));
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'session.reuse_detected',
      tenantId: null,
      userId: USER,
      runId: null,
      data: { user_id: USER, session_id: 'the session', actor: { type: 'anonymous', id: null } },
    });
  });

  it('belong to the realm that a deleted account had', () => {
    const [event] = eventsOf(accountEvent(USER, { action: 'user.deleted', origin: null, realmId: TENANT }));
    expect(event).toMatchObject({ type: 'user.deleted', tenantId: TENANT });
  });

  it('name the run whose handler caused them, whose events led to them', () => {
    const target = { type: 'job', id: 'report' };
    const actor = { type: 'run', id: 'run_1' } as const;
    const entry = { actor, action: 'job.paused', target, tenantId: TENANT, userId: null, origin: null };
    expect(eventsOf(entry)).toMatchObject([
      {
        type: 'job.paused',
        jobId: 'report',
        runId: 'run_1',
        tenantId: TENANT,
        data: { job_id: 'report', actor },
      },
    ]);
  });

  it('are none for actions that are no events, and for refusals', () => {
    for (const action of ['session.opened', 'member.removal_refused', 'toString', '__proto__'])
      expect(eventsOf(accountEvent(USER, { action, origin: null }))).toEqual([]);
  });

  it('have ids of their own and known types', () => {
    const events = [1, 2].map(() => ({ type: 'job.paused', jobId: 'a', data: { job_id: 'a' } }) as const);
    const found = eventsOf({ ...accountEvent(USER, { action: 'jobs.paused', origin: null }), events });
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
    expect(found.every(({ type }) => EVENT_TYPES.includes(type))).toBe(true);
  });
});
