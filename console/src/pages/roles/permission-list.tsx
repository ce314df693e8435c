import type { Role } from '@service/client';
import type { ReactNode } from 'react';
import classes from './permission-list.module.css';

export function PermissionList({ permissions }: Pick<Role, 'permissions'>): ReactNode {
  return (
    <ul className={classes.permissions}>
      {permissions.map((permission) => (
        <li key={permission}>
          <code>{permission}</code>
        </li>
      ))}
    </ul>
  );
}
