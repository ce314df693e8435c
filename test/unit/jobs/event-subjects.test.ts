import { EVENT_TYPES, subjectOf } from '../../../src/tenancy/index.js';
import type { EventType } from '../../../src/tenancy/index.js';

/** All that the data of events may name. */
const DATA = {
  run_id: 'run_1',
  job_id: 'report',
  user_id: 'ada',
  role: 'admin',
  key_id: 'k1',
  path: 'a/b',
  session_id: 's1',
};

const OF_KIND: Readonly<Record<string, object>> = {
  role: { role: DATA.role },
  api_key: { key_id: DATA.key_id },
  secret: { path: DATA.path },
};

describe('the subject of an event', () => {
  const subjects: Readonly<Record<string, readonly EventType[]>> = {
    'job:report': ['run.completed', 'run.failed', 'run.cancelled', 'job.paused', 'job.resumed'],
    'user:ada': [
      'member.added',
      'member.removed',
      'member.role_changed',
      'invitation.created',
      'invitation.accepted',
      'invitation.expired',
      'user.created',
      'user.verified',
      'user.signed_in',
      'user.disabled',
      'user.deleted',
      'session.reuse_detected',
    ],
    'role:admin': ['role.changed'],
    'api_key:k1': ['api_key.created', 'api_key.revoked'],
    'secret:a/b': ['secret.changed'],
  };
  const expected = Object.entries(subjects).flatMap(([subject, types]) =>
    types.map((type): [EventType, string] => [type, subject]),
  );

  it('is known of every event', () => {
    expect(expected.map(([type]) => type).sort()).toEqual([...EVENT_TYPES].sort());
  });

  it.each(expected)('of %s is %s', (type, subject) => {
    const data = { ...(OF_KIND[type.split('.')[0] ?? ''] ?? DATA) };
    expect(subjectOf({ type, data })).toBe(subject);
  });

  it('of an invitation of an organization is the invitation, whoever accepts it', () => {
    for (const type of ['invitation.created', 'invitation.accepted', 'invitation.expired'] as const)
      expect(subjectOf({ type, data: { ...DATA, invitation_id: 'i1' } })).toBe('invitation:i1');
  });

  it('of an event of a job is the job that it concerns', () => {
    expect(subjectOf({ type: 'job.paused', jobId: 'other', data: {} })).toBe('job:other');
  });
});
