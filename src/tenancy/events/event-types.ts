/** The ends of runs. */
export const RUN_EVENTS = ['run.completed', 'run.failed', 'run.cancelled'] as const;

/** Events that concern one job. A trigger can be limited to some jobs. */
export const JOB_EVENTS = [...RUN_EVENTS, 'job.paused', 'job.resumed'] as const;

/** What happens in a tenant, whatever the profile. Projects have neither members nor roles. */
export const TENANT_EVENTS = [
  ...JOB_EVENTS,
  'member.added',
  'member.removed',
  'member.role_changed',
  'role.changed',
  'invitation.created',
  'invitation.accepted',
  'invitation.expired',
  'api_key.created',
  'api_key.revoked',
  'secret.changed',
] as const;

/** What happens to the users of a project. The accounts of organizations belong to no tenant. */
export const USER_EVENTS = [
  'user.created',
  'user.verified',
  'user.signed_in',
  'user.disabled',
  'user.deleted',
  'session.reuse_detected',
] as const;

/** Every event of both profiles (contract, section 12). */
export const EVENT_TYPES = [...TENANT_EVENTS, ...USER_EVENTS] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Something that happened in a tenant, as the handlers of jobs that listen to it learn of it. */
export interface TenantEvent {
  readonly type: EventType;
  /** For an event of `JOB_EVENTS`, the job. */
  readonly jobId?: string;
  /** Ids, names and roles. Neither secrets nor addresses of users, which would stay in runs after the account is gone. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * What an event is about, as a text: a later event about the same undoes a run that is not due yet (`unless`). The events of
 * runs are about their job, so that a completed run undoes what a failed one before it set going.
 */
export function subjectOf({ type, jobId, data }: Pick<TenantEvent, 'type' | 'jobId' | 'data'>): string {
  const [kind = ''] = type.split('.');
  if (kind === 'run' || kind === 'job') return `job:${jobId ?? String(data.job_id)}`;
  const field = NAMES[kind];
  return field !== undefined && field in data
    ? `${kind}:${String(data[field])}`
    : `user:${String(data.user_id)}`;
}

/** By which field of the data an event names what it is about. The invitation of a project is its user. */
const NAMES: Readonly<Record<string, string>> = {
  role: 'role',
  api_key: 'key_id',
  secret: 'path',
  invitation: 'invitation_id',
};
