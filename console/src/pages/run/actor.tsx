import { useQuery } from '@tanstack/react-query';
import type { RunDetails } from '@service/client';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Identifier } from '../../parts/identifier.js';
import { useAccess } from '../../session/use-session.js';
import { useTenant } from '../../tenant/tenant.js';
import type { Tenant } from '../../tenant/tenant.js';
import { useRunText } from './text.js';

const PAGE_SIZE = 100;
/** Of organizations with more members, some stay ids. */
const MOST_MEMBERS = 1_000;

/** Who set a run going, where a person or a program did. */
type Actor = Pick<RunDetails['trigger'], 'user_id' | 'key_id' | 'operator_id'>;

/** The address of a member or user, or the name of an API key; null where it is gone, or may not be seen. */
async function nameOf(
  { organization, project, may }: Tenant,
  { user_id: userId, key_id: keyId }: Actor,
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

/** Their name; null where a schedule, a call or a change of data set the run going. */
export function useActor(actor: Actor): ReactNode {
  const t = useRunText();
  const tenant = useTenant();
  const access = useAccess();
  const { user_id: userId, key_id: keyId, operator_id: operatorId } = actor;
  const own =
    access.kind === 'account' && [userId, operatorId].includes(access.user.id) ? access.user.email : null;
  const { data: name } = useQuery({
    queryKey: ['actor', tenant.slug, userId ?? keyId],
    queryFn: ({ signal }) => nameOf(tenant, actor, signal),
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

/** Who asked for a repetition. */
export function repeaterOf({ actor }: Pick<RunDetails, 'actor'>): Actor {
  const [kind, id] = actor.split(':', 2);
  if (kind === 'user') return { user_id: id };
  if (kind === 'key') return { key_id: id };
  return kind === 'operator' ? { operator_id: id } : {};
}
