import type { OrganizationClient } from '@service/client';
import { useOperator } from '../../operator/operator.js';

interface OrganizationAdmin {
  readonly admin: OrganizationClient['admin'];
  readonly path: string;
  readonly isReadOnly: boolean;
}

/** What an operator does with organizations, which deployments of the other profile lack. */
export function useOrganizationAdmin(): OrganizationAdmin {
  const { organization: admin, path, isReadOnly } = useOperator();
  if (admin === null) throw new Error('this deployment has no organizations');
  return { admin, path: `${path}/organizations`, isReadOnly };
}
