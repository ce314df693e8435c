import { Table } from '@mantine/core';
import type { Role } from '@service/client';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
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

/** Which role grants what. */
export function RoleMatrix({ roles }: { roles: readonly Role[] }): ReactNode {
  const t = useRolesText();
  return (
    <Card flush title={t('matrix')}>
      <Table.ScrollContainer
        className="scrolls-sideways"
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
            {namedBy(roles).map((permission) => (
              <Table.Tr key={permission}>
                <Table.Th scope="row">{permission}</Table.Th>
                {roles.map(({ name, permissions }) => (
                  <Cell key={name} isGranted={isAllowed(permissions, permission)} />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
