import { newId } from '../platform/crypto/index.js';
import type { HappenedEvent, TenantEvent } from '../tenancy/index.js';
import type { AuditEvent } from './audit-entry.js';

type Facts = Readonly<Record<string, unknown>>;
/** What has happened in the tenant when an action is recorded. */
type Happening = (entry: AuditEvent, details: Facts) => TenantEvent[];

const targetOf = ({ target }: AuditEvent): string | null => target?.id ?? null;

function ofMember(type: 'member.added' | 'member.removed' | 'member.role_changed'): Happening {
  return (entry, { role, from, to }) => {
    const data = type === 'member.role_changed' ? { role: to, former_role: from } : { role };
    return [{ type, data: { user_id: targetOf(entry), ...data } }];
  };
}

function ofRole(change: 'created' | 'updated' | 'deleted'): Happening {
  return (entry, { permissions, to }) => [
    { type: 'role.changed', data: { role: targetOf(entry), change, permissions: to ?? permissions } },
  ];
}

function ofJob(type: 'job.paused' | 'job.resumed'): Happening {
  return (entry) => {
    const jobId = targetOf(entry) ?? '';
    return [{ type, jobId, data: { job_id: jobId } }];
  };
}

const created: Happening = (entry) => [{ type: 'user.created', data: { user_id: entry.userId } }];

/** The invitation of an organization has an id. That of a project is identified by its user. */
function ofInvitation(type: 'invitation.created' | 'invitation.accepted' | 'invitation.expired'): Happening {
  return (entry, { role, user_id: userId }) => {
    const isOfUser = entry.target?.type === 'user';
    const data = isOfUser
      ? { user_id: targetOf(entry) }
      : { invitation_id: targetOf(entry), ...(userId === undefined ? {} : { user_id: userId }), role };
    return [{ type, data }];
  };
}

function ofSecret(changeOf: (details: Facts) => 'created' | 'updated' | 'deleted'): Happening {
  return (entry, details) => [
    { type: 'secret.changed', data: { path: targetOf(entry), change: changeOf(details) } },
  ];
}

/**
 * Converts audited actions into events of tenants. Whatever happens in a tenant is audited in the same transaction, so
 * the trail sees all of it. An action whose details do not say enough brings its own events (`AuditEvent.events`). The
 * ends of runs are not actions: the statements that end runs capture them.
 */
const HAPPENINGS: ReadonlyMap<string, Happening> = new Map(
  Object.entries<Happening>({
    'member.added': ofMember('member.added'),
    'member.removed': ofMember('member.removed'),
    'member.left': ofMember('member.removed'),
    'member.role_changed': ofMember('member.role_changed'),
    'role.created': ofRole('created'),
    'role.updated': ofRole('updated'),
    'role.deleted': ofRole('deleted'),
    'invitation.created': ofInvitation('invitation.created'),
    'invitation.replaced': ofInvitation('invitation.created'),
    'user.invited': ofInvitation('invitation.created'),
    'invitation.accepted': ofInvitation('invitation.accepted'),
    'invitation.expired': ofInvitation('invitation.expired'),
    'api_key.created': (entry, { name, permissions }) => [
      { type: 'api_key.created', data: { key_id: targetOf(entry), name, permissions } },
    ],
    'api_key.revoked': (entry, { name }) => [
      { type: 'api_key.revoked', data: { key_id: targetOf(entry), name } },
    ],
    'secret.set': ofSecret(({ created: isNew }) => (isNew === true ? 'created' : 'updated')),
    'secret.deleted': ofSecret(() => 'deleted'),
    'job.paused': ofJob('job.paused'),
    'job.resumed': ofJob('job.resumed'),
    'user.signed_up': created,
    'user.imported': created,
    'user.email_verified': (entry) => [{ type: 'user.verified', data: { user_id: entry.userId } }],
    'user.disabled': (entry) => [{ type: 'user.disabled', data: { user_id: entry.userId } }],
    'user.deleted': ({ userId }, { reason }) => [
      ...(reason === 'invitation_expired'
        ? [{ type: 'invitation.expired' as const, data: { user_id: userId } }]
        : []),
      { type: 'user.deleted', data: { user_id: userId } },
    ],
    'session.refresh_token_reused': (entry) => [
      { type: 'session.reuse_detected', data: { user_id: entry.userId, session_id: targetOf(entry) } },
    ],
  }),
);

/** The events of an entry, each with its own id and the actor who caused it. */
export function eventsOf(entry: AuditEvent): HappenedEvent[] {
  const happening = HAPPENINGS.get(entry.action);
  const events = [...(happening?.(entry, entry.details ?? {}) ?? []), ...(entry.events ?? [])];
  if (events.length === 0) return [];
  const { type, id } = entry.actor;
  return events.map((event) => ({
    ...event,
    id: newId(),
    tenantId: entry.tenantId ?? entry.realmId ?? null,
    userId: entry.userId,
    runId: type === 'run' ? id : null,
    data: { ...event.data, actor: { type, id } },
  }));
}
