import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Member } from '@service/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { useOperator } from '../../operator/operator.js';
import { BreakableText } from '../../parts/breakable-text.js';
import type { Column } from '../../parts/data-table.js';
import { FormModal } from '../../parts/form-modal.js';
import { Instant } from '../../parts/instant.js';
import { Page, PageSkeleton } from '../../parts/page.js';
import { PagedTable } from '../../parts/paged-table.js';
import { isRefusal, messageOf } from '../../parts/queries.js';
import { RevokeKeys } from '../../parts/revoke-keys.js';
import { Empty, Failure } from '../../parts/states.js';
import { usePages } from '../../parts/use-pages.js';
import { ChangeOrganization } from '../organizations/change-organization.js';
import { useOrganizationAdmin } from '../organizations/use-organization-admin.js';
import classes from '../users/users-page.module.css';
import { SetMember } from './set-member.js';
import { useOrganizationText } from './text.js';

/** One organization, for an operator: a new name, a new owner, others' roles, who leaves, and its end. */
export default function OrganizationPage(): ReactNode {
  const t = useOrganizationText();
  const { org = '' } = useParams();
  const { path: deployment } = useOperator();
  const { admin, path, isReadOnly } = useOrganizationAdmin();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [revokesKeys, setRevokesKeys] = useState(false);
  const stay = (): void => {
    setLeaving(null);
    setRevokesKeys(false);
  };
  const pages = usePages(['deployment', 'members', org], (signal) =>
    admin.orgs.members.list(org, { signal }),
  );
  const {
    data: organization,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: ['deployment', 'organizations', org],
    queryFn: ({ signal }) => admin.orgs.get(org, { signal }),
  });
  const own = useMutation({
    mutationFn: (userId: string) => admin.orgs.members.set(org, userId, { role: 'owner' }),
  });
  const remove = useMutation({
    mutationFn: (userId: string) =>
      admin.orgs.members.remove(org, userId, revokesKeys ? { revokeKeys: true } : {}),
    onSuccess: stay,
  });
  if (organization === undefined || isRefusal(error))
    return isPending ? (
      <PageSkeleton />
    ) : (
      <Failure isWholePage list={path} error={error} onRetry={() => void refetch()} />
    );
  const columns: Column<Member>[] = [
    {
      key: 'email',
      title: t('member'),
      cell: ({ user_id, email, disabled }) => (
        <>
          <Link to={`${deployment}/users/${user_id}`} className={classes.name} dir="auto">
            <BreakableText>{email}</BreakableText>
          </Link>
          {disabled && (
            <>
              {' '}
              <span className={classes.state} data-state="disabled">
                {t('disabled')}
              </span>
            </>
          )}
        </>
      ),
    },
    { key: 'role', title: t('role'), cell: ({ role }) => role },
    {
      key: 'joined',
      title: t('joined'),
      optional: true,
      cell: ({ joined_at }) => <Instant at={joined_at} />,
    },
  ];
  if (!isReadOnly)
    columns.push({
      key: 'actions',
      title: t('actionsColumn'),
      align: 'end',
      cell: (member) => (
        <Group gap={6} justify="flex-end">
          {member.role !== 'owner' && (
            <Button
              size="compact-sm"
              variant="default"
              loading={own.isPending && own.variables === member.user_id}
              onClick={() => {
                own.mutate(member.user_id);
              }}
            >
              {t('makeOwner')}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setLeaving(member);
            }}
          >
            {t('remove')}
          </Button>
        </Group>
      ),
    });
  return (
    <Page
      title={organization.name}
      about={<code>{organization.slug}</code>}
      above={[{ title: t('organizations'), to: path }]}
      actions={
        !isReadOnly && (
          <>
            <ChangeOrganization
              organization={organization}
              save={async (names) => {
                const { slug } = await admin.orgs.update(organization.id, names);
                await navigate(`${path}/${slug}`, { replace: true });
              }}
              remove={async () => {
                await admin.orgs.delete(organization.id);
                await navigate(path);
              }}
            />
            <Button leftSection={<UserPlus size={15} />} onClick={open}>
              {t('add')}
            </Button>
          </>
        )
      }
    >
      {own.error !== null && (
        <Text role="alert" size="sm" c="var(--bad)">
          {messageOf(own.error)}
        </Text>
      )}
      <PagedTable
        isPart
        label={t('members')}
        columns={columns}
        pages={pages}
        keyOf={({ user_id }) => user_id}
        opensRows
        more={t('more')}
        empty={<Empty icon={Users} title={t('empty')} />}
      />
      <SetMember org={org} isOpen={isOpen} onClose={close} />
      <FormModal
        title={t('remove')}
        isOpen={leaving !== null}
        onClose={stay}
        submit={t('remove')}
        onSubmit={() => {
          if (leaving !== null) remove.mutate(leaving.user_id);
        }}
        isPending={remove.isPending}
        error={remove.error}
        isDangerous
      >
        <Text size="sm">{t('removeQuestion', { email: leaving?.email ?? '' })}</Text>
        {leaving !== null && (
          <RevokeKeys
            queryKey={['deployment', 'keys', org, leaving.user_id]}
            list={async (signal) => {
              const made = await admin.users.apiKeys(leaving.user_id, { limit: 100, signal }).all();
              return made.filter((key) => key.org.id === organization.id);
            }}
            checked={revokesKeys}
            onChange={setRevokesKeys}
          />
        )}
      </FormModal>
    </Page>
  );
}
