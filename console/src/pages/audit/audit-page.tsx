import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { useTenant } from '../../tenant/tenant.js';
import type { AuditSource } from './audit-source.js';
import { AuditTrail } from './audit-trail.js';

/** The trail of an organization or a project. */
export default function AuditPage(): ReactNode {
  const { slug, organization, project } = useTenant();
  const source = useMemo<AuditSource | null>(() => {
    const key = ['audit', slug];
    if (organization !== null)
      return {
        key,
        nameOfTenant: null,
        list: (filter) => organization.orgs.audit(filter),
        export: (filter) => organization.orgs.exportAudit(filter),
        verify: (signal) => organization.orgs.verifyAudit({ signal }),
      };
    if (project === null) return null;
    return {
      key,
      nameOfTenant: null,
      list: (filter) => project.audit.list(filter),
      export: (filter) => project.audit.export(filter),
      verify: (signal) => project.audit.verify({ signal }),
    };
  }, [slug, organization, project]);
  return source && <AuditTrail source={source} />;
}
