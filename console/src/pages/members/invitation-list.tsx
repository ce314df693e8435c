import { Button, Group, Text } from '@mantine/core';
import type { CreatedInvitation, Invitation } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { MailOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { BreakableText } from '../../parts/breakable-text.js';
import { DataTable } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { Instant } from '../../parts/instant.js';
import { Card } from '../../parts/page.js';
import { messageOf } from '../../parts/queries.js';
import { Empty } from '../../parts/states.js';
import { useOrganizationClient, useTenant } from '../../tenant/tenant.js';
import { useMembersText } from './text.js';

const PAGE_SIZE = 100;
/** The list has those of the past too, so pages alone could show none that is pending. */
const MOST = 5_000;

/** Invitations that nobody has accepted yet. */
export function InvitationList({
  onInvited,
}: {
  onInvited: (invitation: CreatedInvitation) => void;
}): ReactNode {
  const t = useMembersText();
  const { slug, may } = useTenant();
  const { invitations } = useOrganizationClient();
  const list = useQuery({
    queryKey: ['invitations', slug],
    queryFn: ({ signal }) => invitations.list({ limit: PAGE_SIZE, signal }).all(MOST),
  });
  const pending = list.data?.filter(({ status }) => status === 'pending');
  const again = useMutation({
    mutationFn: ({ email, role }: Invitation) => invitations.create({ email, role }),
    onSuccess: onInvited,
  });
  const withdraw = useMutation({ mutationFn: ({ id }: Invitation) => invitations.revoke(id) });
  const error = again.error ?? withdraw.error;
  const columns: Column<Invitation>[] = [
    {
      key: 'email',
      title: t('email'),
      cell: ({ email }) => (
        <bdi>
          <BreakableText>{email}</BreakableText>
        </bdi>
      ),
    },
    { key: 'role', title: t('role'), cell: ({ role }) => role },
    {
      key: 'way',
      title: t('way'),
      optional: true,
      cell: ({ emailed }) => t(emailed ? 'sent' : 'notSent'),
    },
    {
      key: 'expires',
      title: t('expires'),
      optional: true,
      cell: ({ expires_at }) => <Instant at={expires_at} />,
    },
  ];
  if (may('auth:members:invite'))
    columns.push({
      key: 'actions',
      title: t('actions'),
      align: 'end',
      cell: (invitation) => (
        <Group gap={6} justify="flex-end">
          <Button
            size="compact-sm"
            variant="default"
            loading={again.isPending && again.variables.id === invitation.id}
            onClick={() => {
              again.mutate(invitation);
            }}
          >
            {t('again')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            loading={withdraw.isPending && withdraw.variables.id === invitation.id}
            onClick={() => {
              withdraw.mutate(invitation);
            }}
          >
            {t('withdraw')}
          </Button>
        </Group>
      ),
    });
  return (
    <>
      {error !== null && (
        <Text role="alert" size="sm" c="var(--bad)">
          {messageOf(error)}
        </Text>
      )}
      <Card flush title={t('invitations')}>
        <DataTable
          label={t('invitations')}
          columns={columns}
          rows={pending}
          keyOf={({ id }) => id}
          error={list.error}
          onRetry={() => void list.refetch()}
          empty={
            <Empty icon={MailOpen} title={t('noInvitations')}>
              {t('noInvitationsText')}
            </Empty>
          }
          expected={2}
        />
      </Card>
    </>
  );
}
