import { Table } from '@mantine/core';
import type { Role } from '@service/client';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { BreakableText } from '../../parts/breakable-text.js';
import { Card } from '../../parts/page.js';
import { isAllowed, namedBy } from '../../tenant/permissions.js';
import classes from './role-matrix.module.css';
import { useRolesText } from './text.js';

function Cell({ isGranted }: { isGranted: boolean }): ReactNode {
  const t = useRolesText();
  const Icon = isGranted ? Check : Minus;
  return (
    <Table.Td className={isGranted ? classes.granted : classes.denied}>
      <Icon size={15} aria-hidden />
      <span className="visually-hidden">{t(isGranted ? 'granted' : 'notGranted')}</span>
    </Table.Td>
  );
}

interface MatrixProps {
  readonly roles: readonly Role[];
  readonly permissions: readonly string[];
}

function AsTable({ roles, permissions }: MatrixProps): ReactNode {
  const t = useRolesText();
  return (
    <Table.ScrollContainer
      className={`scrolls-sideways ${classes.asTable ?? ''}`}
      minWidth={0}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={t('matrix')}
    >
      <Table className={classes.matrix}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('permission')}</Table.Th>
            {roles.map(({ name }) => (
              <Table.Th key={name} scope="col" ta="center" title={name}>
                <bdi className={classes.role}>{name}</bdi>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {permissions.map((permission) => (
            <Table.Tr key={permission}>
              <Table.Th scope="row">{permission}</Table.Th>
              {roles.map((role) => (
                <Cell key={role.name} isGranted={isAllowed(role.permissions, permission)} />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function AsList({ roles, permissions }: MatrixProps): ReactNode {
  const t = useRolesText();
  return (
    <ul className={classes.asList} aria-label={t('matrix')}>
      {permissions.map((permission) => (
        <li key={permission}>
          <BreakableText>{permission}</BreakableText>
          <ul aria-label={t('grantedBy', { permission })}>
            {roles
              .filter((role) => isAllowed(role.permissions, permission))
              .map(({ name }) => (
                <li key={name} dir="auto">
                  {name}
                </li>
              ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** Which role grants what: a table, and where a phone has no room for its columns, the roles of each permission. */
export function RoleMatrix({ roles }: Pick<MatrixProps, 'roles'>): ReactNode {
  const t = useRolesText();
  const permissions = namedBy(roles);
  return (
    <Card flush title={t('matrix')}>
      <AsTable roles={roles} permissions={permissions} />
      <AsList roles={roles} permissions={permissions} />
    </Card>
  );
}
