import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Role } from '@service/client';
import { ShieldCheck, ShieldPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { DataTable } from '../../parts/data-table.js';
import type { Column } from '../../parts/data-table.js';
import { Card, Page } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { useTenant } from '../../tenant/tenant.js';
import { AccessQuestion } from './access-question.js';
import { RoleForm } from './role-form.js';
import { RoleMatrix } from './role-matrix.js';
import { useRolesText } from './text.js';
import { useRoles } from './use-roles.js';

/** The roles of an organization, what each grants, and what a member may do. */
export default function RolesPage(): ReactNode {
  const t = useRolesText();
  const { path, may } = useTenant();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const { data, error, refetch } = useRoles();
  const pathOf = ({ name }: Role): string => `${path}/roles/${encodeURIComponent(name)}`;
  const columns: Column<Role>[] = [
    {
      key: 'name',
      title: t('name'),
      cell: (role) => (
        <Link to={pathOf(role)} className="two-lines" dir="auto" title={role.name}>
          {role.name}
        </Link>
      ),
    },
    { key: 'kind', title: t('kind'), optional: true, cell: ({ builtin }) => t(builtin ? 'builtin' : 'own') },
    {
      key: 'permissions',
      title: t('permissions'),
      cell: ({ permissions }) =>
        permissions.includes('*') ? t('everything') : t('permission', { count: permissions.length }),
    },
  ];
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        may('auth:roles:create') && (
          <Button leftSection={<ShieldPlus size={15} />} onClick={open}>
            {t('create')}
          </Button>
        )
      }
    >
      <Card flush>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={data}
          keyOf={({ name }) => name}
          opensRows
          error={error}
          onRetry={() => void refetch()}
          empty={<Empty icon={ShieldCheck} title={t('title')} />}
          expected={3}
        />
      </Card>
      {may('auth:members:read') && <AccessQuestion />}
      {data !== undefined && <RoleMatrix roles={data} />}
      {isOpen && (
        <RoleForm
          role={null}
          onClose={close}
          onSaved={(role) => {
            void navigate(pathOf(role));
          }}
        />
      )}
    </Page>
  );
}
