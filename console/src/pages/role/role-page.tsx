import { Button, Text } from '@mantine/core';
import type { Role } from '@service/client';
import { useMutation } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import { FormModal } from '../../parts/form-modal.js';
import { Card, Page, PageSkeleton } from '../../parts/page.js';
import { Failure } from '../../parts/states.js';
import { useOrganizationClient, useTenant } from '../../tenant/tenant.js';
import { PermissionList } from '../roles/permission-list.js';
import { RoleForm } from '../roles/role-form.js';
import { useRolesText } from '../roles/text.js';
import { useHolders, useRole } from '../roles/use-roles.js';
import { RoleHolders } from './role-holders.js';

function Shown({ role }: { role: Role }): ReactNode {
  const t = useRolesText();
  const { path, may } = useTenant();
  const { roles } = useOrganizationClient();
  const navigate = useNavigate();
  const holders = useHolders(role.name);
  const [opened, setOpened] = useState<'edit' | 'remove' | null>(null);
  const close = (): void => {
    setOpened(null);
  };
  const remove = useMutation({
    mutationFn: () => roles.delete(role.name),
    onSuccess: () => navigate(`${path}/roles`),
  });
  const actions = (['edit', 'remove'] as const).filter(
    (act) => !role.builtin && may(act === 'edit' ? 'auth:roles:update' : 'auth:roles:delete'),
  );
  return (
    <Page
      title={role.name}
      above={[{ title: t('title'), to: `${path}/roles` }]}
      about={role.builtin ? t('builtin') : undefined}
      actions={actions.map((act) => (
        <Button
          key={act}
          variant="default"
          leftSection={act === 'edit' ? <Pencil size={15} /> : <Trash2 size={15} />}
          onClick={() => {
            setOpened(act);
          }}
        >
          {t(act)}
        </Button>
      ))}
    >
      <Card title={t('permissions')}>
        <PermissionList permissions={role.permissions} />
      </Card>
      {holders.data !== undefined && <RoleHolders holders={holders.data} />}
      {holders.error !== null && holders.data === undefined && (
        <Card title={t('holders')}>
          <Failure error={holders.error} onRetry={() => void holders.refetch()} />
        </Card>
      )}
      {opened === 'edit' && (
        <RoleForm
          role={role}
          {...(holders.data === undefined ? {} : { memberCount: holders.data.member_count })}
          onClose={close}
          onSaved={close}
        />
      )}
      <FormModal
        title={t('removeTitle', { name: role.name })}
        isOpen={opened === 'remove'}
        onClose={close}
        submit={t('remove')}
        onSubmit={() => {
          remove.mutate();
        }}
        isPending={remove.isPending}
        error={remove.error}
        isDangerous
      >
        <Text size="sm">{t('removeText')}</Text>
      </FormModal>
    </Page>
  );
}

/** A role: what it grants, and who has it. */
export default function RolePage(): ReactNode {
  const { name = '' } = useParams();
  const { data, error, isPending, refetch } = useRole(name);
  const { path } = useTenant();
  if (data !== undefined) return <Shown role={data} />;
  return isPending ? (
    <PageSkeleton />
  ) : (
    <Failure isWholePage list={`${path}/roles`} error={error} onRetry={() => void refetch()} />
  );
}
