import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useOperator } from '../../operator/operator.js';
import type { AuditSource } from '../audit/audit-source.js';
import { AuditTrail } from '../audit/audit-trail.js';

/** Of deployments with more, entries about older ones have the id in place of the name. */
const MOST_NAMES = 1_000;

/** The names of the newest organizations or projects, by id. */
function useNames(): ReadonlyMap<string, string> | undefined {
  const { organization, project } = useOperator();
  const { data } = useQuery({
    queryKey: ['deployment', 'names'],
    queryFn: async ({ signal }) => {
      const some = { limit: 100, signal };
      const tenants: readonly { id: string; name: string }[] =
        organization === null
          ? ((await project?.projects.list(some).all(MOST_NAMES)) ?? [])
          : await organization.orgs.list(some).all(MOST_NAMES);
      return new Map(tenants.map(({ id, name }) => [id, name]));
    },
    staleTime: 60_000,
  });
  return data;
}

/** The trails of all organizations or projects, and of the deployment itself. */
export default function DeploymentAuditPage(): ReactNode {
  const { client } = useOperator();
  const names = useNames();
  const source = useMemo<AuditSource>(
    () => ({
      key: ['operator', 'audit'],
      nameOfTenant: (id) => names?.get(id),
      list: (filter) => client.audit.list(filter),
      export: (filter) => client.audit.export(filter),
      verify: null,
    }),
    [client, names],
  );
  return <AuditTrail source={source} />;
}
