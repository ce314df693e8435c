import { useQuery } from '@tanstack/react-query';
import type { RunDetails } from '@service/client';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Identifier } from '../../parts/identifier.js';
import { useAccess } from '../../session/use-session.js';
import { useTenant } from '../../tenant/tenant.js';
import type { Tenant } from '../../tenant/tenant.js';
import { useAuditText } from '../audit/text.js';
import { useRunText } from './text.js';

const PAGE_SIZE = 100;
/** Of organizations with more members, some stay ids. */
const MOST_MEMBERS = 1_000;

type Trigger = RunDetails['trigger'];

/** The address of a member or user, or the name of an API key; null where it is gone, or may not be seen. */
async function nameOf(
  { organization, project, may }: Tenant,
  { user_id: userId, key_id: keyId }: Trigger,
  signal: AbortSignal,
): Promise<string | null> {
  if (organization !== null && userId !== undefined && may('auth:members:read')) {
    const members = await organization.members.list({ limit: PAGE_SIZE, signal }).all(MOST_MEMBERS);
    return members.find((member) => member.user_id === userId)?.email ?? null;
  }
  if (organization !== null && keyId !== undefined && may('auth:keys:read')) {
    const keys = await organization.apiKeys.list({ limit: PAGE_SIZE, signal }).all(MOST_MEMBERS);
    return keys.find(({ id }) => id === keyId)?.name ?? null;
  }
  if (project !== null && userId !== undefined) return (await project.users.get(userId, { signal })).email;
  return null;
}

/** Who set a run going, where a person or a program did; null where a schedule, a call or a change of data did. */
export function useActor(trigger: Trigger): ReactNode {
  const t = useRunText();
  const tenant = useTenant();
  const access = useAccess();
  const { user_id: userId, key_id: keyId, operator_id: operatorId } = trigger;
  const own =
    access.kind === 'account' && [userId, operatorId].includes(access.user.id) ? access.user.email : null;
  const { data: name } = useQuery({
    queryKey: ['actor', tenant.slug, userId ?? keyId],
    queryFn: ({ signal }) => nameOf(tenant, trigger, signal),
    enabled: own === null && (userId !== undefined || keyId !== undefined),
    staleTime: 60_000,
  });
  if (own !== null) return <bdi>{own}</bdi>;
  if (operatorId !== undefined) return t('anOperator');
  const id = userId ?? keyId;
  if (id === undefined) return null;
  if (name == null) return <Identifier value={id} what={t('by')} short />;
  if (userId !== undefined) return <bdi>{name}</bdi>;
  return (
    <Link to={`${tenant.path}/keys`}>
      <bdi>{t('keyNamed', { name })}</bdi>
    </Link>
  );
}

/** About how long after an audit entry its run begins to be, or before. */
const AROUND_MS = 60_000;

/** Who repeated a run to make this one, by the audit trail; null for those who may not read it, and for an operation. */
export function useRetrier({ id, retry_of: retryOf, created_at: createdAt }: RunDetails): ReactNode {
  const t = useRunText();
  const kind = useAuditText();
  const { slug, organization, project, may } = useTenant();
  const { data: actor } = useQuery({
    queryKey: ['retrier', slug, id],
    queryFn: async ({ signal }) => {
      const at = new Date(createdAt).getTime();
      const filter = {
        action: 'run.retried',
        target: `run:${retryOf ?? ''}`,
        since: new Date(at - AROUND_MS).toISOString(),
        until: new Date(at + AROUND_MS).toISOString(),
        limit: PAGE_SIZE,
        signal,
      };
      const entries = organization === null ? project?.audit.list(filter) : organization.orgs.audit(filter);
      const page = await entries?.page();
      return page?.items.find(({ details }) => details.retry === id)?.actor ?? null;
    },
    enabled: retryOf !== undefined && may('auth:audit:read'),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (actor == null) return null;
  const { type, id: actorId, name } = actor;
  const named =
    name !== null ? (
      <bdi>{name}</bdi>
    ) : (
      actorId !== null && <Identifier value={actorId} what={t('by')} short />
    );
  // Members choose the names of API keys, which may be addresses.
  return type === 'user' ? (
    named
  ) : (
    <>
      {kind(type)} {named}
    </>
  );
}
