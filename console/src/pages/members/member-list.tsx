import { Anchor, Button, Group, Text } from '@mantine/core';
import type { Member } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { BreakableText } from '../../parts/breakable-text.js';
import { NarrowLine, WideOnly } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { FormModal } from '../../parts/form-modal.js';
import { Instant } from '../../parts/instant.js';
import { PagedTable } from '../../parts/paged-table.js';
import { LastOwner } from '../../parts/last-owner.js';
import { queries } from '../../parts/queries.js';
import { RevokeKeys } from '../../parts/revoke-keys.js';
import { Empty } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { useAccess } from '../../session/use-session.js';
import { POLL_MS } from '../../tenant/live-runs.js';
import { useOrganizationClient, useTenant } from '../../tenant/tenant.js';
import { RoleSelect } from './role-select.js';
import { useMembersText } from './text.js';

/** The role that may do everything, which is asked about before it is given. */
const OWNER = 'owner';

/** A member, and the role that they shall have. */
interface RoleChange {
  readonly member: Member;
  readonly role: string;
}

/** The members; a role is chosen where it stands, and changed when that is confirmed. */
export function MemberList(): ReactNode {
  const t = useMembersText();
  const { slug, path, may } = useTenant();
  const { members, apiKeys } = useOrganizationClient();
  const access = useAccess();
  const navigate = useNavigate();
  const ownId = access.kind === 'account' ? access.user.id : null;
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [revokesKeys, setRevokesKeys] = useState(false);
  const [wanted, setWanted] = useState<RoleChange | null>(null);
  const stay = (): void => {
    setLeaving(null);
    setRevokesKeys(false);
    remove.reset();
  };
  const keepRole = (): void => {
    setWanted(null);
    change.reset();
  };
  const pages = usePages<Member>(['members', slug], (signal) => members.list({ signal }), POLL_MS);
  const newest = pages.items?.[0]?.user_id;
  // Whoever joins has accepted an invitation.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['invitations', slug] });
  }, [newest, slug]);
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
  const permissionsOf = ({ user_id, email }: Member): ReactNode =>
    may('auth:roles:read') && (
      <Anchor
        component={Link}
        to={`${path}/roles?member=${user_id}`}
        size="sm"
        aria-label={t('mayDoOf', { email })}
      >
        {t('mayDo')}
      </Anchor>
    );
  const columns: Column<Member>[] = [
    {
      key: 'email',
      title: t('member'),
      cell: (member) => (
        <span>
          <bdi>
            <BreakableText>{member.email}</BreakableText>
          </bdi>
          {member.user_id === ownId && (
            <Text span size="xs" c="dimmed">
              {' '}
              ({t('you')})
            </Text>
          )}
          {member.disabled && (
            <Text span size="xs" c="var(--bad)">
              {' '}
              ({t('disabled')})
            </Text>
          )}
          <NarrowLine>{permissionsOf(member)}</NarrowLine>
        </span>
      ),
    },
    {
      key: 'role',
      title: t('role'),
      cell: (member) => {
        const { email, role } = member;
        return may('auth:members:update') ? (
          <RoleSelect
            size="xs"
            w={{ base: 104, sm: 150 }}
            aria-label={t('roleOf', { email })}
            value={role}
            onChange={(next) => {
              setWanted({ member, role: next });
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
      cell: (member) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <WideOnly>{permissionsOf(member)}</WideOnly>
          {(may('auth:members:delete') || member.user_id === ownId) && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                setLeaving(member);
              }}
            >
              {t(member.user_id === ownId ? 'leave' : 'remove')}
            </Button>
          )}
        </Group>
      ),
    },
  ];
  const isOwn = leaving?.user_id === ownId;
  return (
    <>
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
        <LastOwner error={remove.error} path={path} onFollow={stay} />
        {leaving !== null && !isOwn && may('auth:keys:read') && may('auth:keys:delete') && (
          <RevokeKeys
            queryKey={['keys', slug, 'made-by', leaving.user_id]}
            list={(signal) => apiKeys.list({ createdBy: leaving.user_id, limit: 100, signal }).all()}
            checked={revokesKeys}
            onChange={setRevokesKeys}
          />
        )}
      </FormModal>
      {wanted !== null && (
        <FormModal
          title={t(wanted.role === OWNER ? 'promote' : 'changeRole')}
          isOpen
          onClose={keepRole}
          submit={t(wanted.role === OWNER ? 'promote' : 'changeRole')}
          onSubmit={() => {
            change.mutate({ userId: wanted.member.user_id, role: wanted.role });
          }}
          isPending={change.isPending}
          error={change.error}
          isDangerous={wanted.role === OWNER}
        >
          <Text size="sm">
            {wanted.role === OWNER
              ? t('promoteQuestion', { email: wanted.member.email })
              : t('changeRoleQuestion', {
                  email: wanted.member.email,
                  from: wanted.member.role,
                  to: wanted.role,
                })}
          </Text>
        </FormModal>
      )}
    </>
  );
}
