import { useOperatorOrNone } from '../operator/operator.js';
import { navigationOf, operatorPages, tenantPages } from '../pages.js';
import type { NavigationEntry } from '../pages.js';
import { useTenantOrNone } from '../tenant/tenant.js';

/** The pages of where one is, as far as one may see them. */
export function useNavigation(): NavigationEntry[] {
  const tenant = useTenantOrNone();
  const operator = useOperatorOrNone();
  if (tenant !== null) return navigationOf(tenantPages, tenant);
  return operator === null ? [] : navigationOf(operatorPages, operator);
}
