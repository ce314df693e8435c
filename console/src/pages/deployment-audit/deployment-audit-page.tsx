import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useOperator } from '../../operator/operator.js';
import type { AuditSource } from '../audit/audit-source.js';
import { AuditTrail } from '../audit/audit-trail.js';

/** The trails of all organizations or projects, and of the deployment itself. */
export default function DeploymentAuditPage(): ReactNode {
  const { client } = useOperator();
  const source = useMemo<AuditSource>(
    () => ({
      key: ['operator', 'audit'],
      list: (filter) => client.audit.list(filter),
      export: (filter) => client.audit.export(filter),
      verify: null,
    }),
    [client],
  );
  return <AuditTrail source={source} />;
}
