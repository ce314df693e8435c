import { Button, Text } from '@mantine/core';
import type { Member } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { BreakableText } from '../../parts/breakable-text.js';
import type { Column } from '../../parts/data-table.js';
import { FormModal } from '../../parts/form-modal.js';
import { Instant } from '../../parts/instant.js';
import { PagedTable } from '../../parts/paged-table.js';
import { messageOf } from '../../parts/queries.js';
import { RevokeKeys } from '../../parts/revoke-keys.js';
import { Empty } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { useAccess } from '../../session/use-session.js';
import { useOrganizationClient, useTenant } from '../../tenant/tenant.js';
import { RoleSelect } from './role-select.js';
import { useMembersText } from './text.js';

/** The role that may do everything, which is asked about before it is given. */
const OWNER = 'owner';

/** The members; a role is changed where it stands. */
export function MemberList(): ReactNode {
  const t = useMembersText();
  const { slug, may } = useTenant();
  const { members, apiKeys } = useOrganizationClient();
  const access = useAccess();
  const navigate = useNavigate();
  const ownId = access.kind === 'account' ? access.user.id : null;
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [revokesKeys, setRevokesKeys] = useState(false);
  const [promoted, setPromoted] = useState<Member | null>(null);
  const stay = (): void => {
    setLeaving(null);
    setRevokesKeys(false);
  };
  const keepRole = (): void => {
    setPromoted(null);
  };
  const pages = usePages<Member>(['members', slug], (signal) => members.list({ signal }));
  const change = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: string }) => members.update(userId, { role }),
    onSuccess: keepRole,
  });
  const remove = useMutation({
    mutationFn: (userId: string) => members.remove(userId, revokesKeys ? { revokeKeys: true } : {}),
    onSuccess: async (_, userId) => {
      stay();
      if (userId === ownId) await navigate('/');
    },
  });
  const columns: Column<Member>[] = [
    {
      key: 'email',
      title: t('member'),
      cell: ({ user_id, email, disabled }) => (
        <span>
          <bdi>
            <BreakableText>{email}</BreakableText>
          </bdi>
          {user_id === ownId && (
            <Text span size="xs" c="dimmed">
              {' '}
              ({t('you')})
            </Text>
          )}
          {disabled && (
            <Text span size="xs" c="var(--bad)">
              {' '}
              ({t('disabled')})
            </Text>
          )}
        </span>
      ),
    },
    {
      key: 'role',
      title: t('role'),
      cell: (member) => {
        const { user_id: userId, email, role } = member;
        return may('auth:members:update') ? (
          <RoleSelect
            size="xs"
            w={{ base: 104, sm: 150 }}
            aria-label={t('roleOf', { email })}
            value={role}
            disabled={change.isPending && change.variables.userId === userId}
            onChange={(next) => {
              if (next === OWNER) setPromoted(member);
              else change.mutate({ userId, role: next });
            }}
          />
        ) : (
          role
        );
      },
    },
    {
      key: 'joined',
      title: t('joined'),
      optional: true,
      cell: ({ joined_at }) => <Instant at={joined_at} />,
    },
    {
      key: 'actions',
      title: t('actions'),
      align: 'end',
      cell: (member) =>
        (may('auth:members:delete') || member.user_id === ownId) && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setLeaving(member);
            }}
          >
            {t(member.user_id === ownId ? 'leave' : 'remove')}
          </Button>
        ),
    },
  ];
  const isOwn = leaving?.user_id === ownId;
  return (
    <>
      {change.error !== null && promoted === null && (
        <Text role="alert" size="sm" c="var(--bad)">
          {messageOf(change.error)}
        </Text>
      )}
      <PagedTable
        label={t('title')}
        columns={columns}
        pages={pages}
        keyOf={({ user_id }) => user_id}
        more={t('more')}
        empty={<Empty icon={Users} title={t('empty')} />}
      />
      <FormModal
        title={t(isOwn ? 'leave' : 'remove')}
        isOpen={leaving !== null}
        onClose={stay}
        submit={t(isOwn ? 'leave' : 'remove')}
        onSubmit={() => {
          if (leaving !== null) remove.mutate(leaving.user_id);
        }}
        isPending={remove.isPending}
        error={remove.error}
        isDangerous
      >
        <Text size="sm">
          {isOwn ? t('leaveQuestion') : t('removeQuestion', { email: leaving?.email ?? '' })}
        </Text>
        {leaving !== null && !isOwn && may('auth:keys:read') && may('auth:keys:delete') && (
          <RevokeKeys
            queryKey={['keys', slug, 'made-by', leaving.user_id]}
            list={(signal) => apiKeys.list({ createdBy: leaving.user_id, limit: 100, signal }).all()}
            checked={revokesKeys}
            onChange={setRevokesKeys}
          />
        )}
      </FormModal>
      <FormModal
        title={t('promote')}
        isOpen={promoted !== null}
        onClose={keepRole}
        submit={t('promote')}
        onSubmit={() => {
          if (promoted !== null) change.mutate({ userId: promoted.user_id, role: OWNER });
        }}
        isPending={change.isPending}
        error={change.error}
        isDangerous
      >
        <Text size="sm">{t('promoteQuestion', { email: promoted?.email ?? '' })}</Text>
      </FormModal>
    </>
  );
}
