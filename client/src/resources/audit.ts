import type { CallOptions } from '../http/call.js';
import type { List } from '../http/list.js';
import type { AuditEntry, AuditVerification } from '../shapes.js';
import type { Paged, ProjectApi, SharedApi } from './apis.js';

/** A filter of entries. What is omitted matches any. */
export interface AuditMatch {
  /** Id of a user or API key, the address of an account, or a type. */
  readonly actor?: string | undefined;
  /** Like `member.role_changed` or `member.*`. */
  readonly action?: string | undefined;
  /** Id or type of a target, or both, like `role:analyst`. `job:report` also finds the manifests that changed the job. */
  readonly target?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface AuditFilter extends AuditMatch, Paged {}

export interface AuditExport extends AuditMatch {
  /** `ndjson` by default. */
  readonly format?: 'csv' | 'ndjson' | undefined;
}

/** The audit trail of a project. Needs the service key. */
export class ProjectAudit {
  constructor(private readonly api: ProjectApi) {}

  /** Newest first. */
  list({ signal, ...filter }: AuditFilter & CallOptions = {}): List<AuditEntry> {
    return this.api.list('/auth/v1/audit', { query: { ...filter }, signal });
  }

  /** A file, before its body is read. */
  async export({ signal, ...filter }: AuditExport & CallOptions = {}): Promise<Response> {
    return await this.api.file('/auth/v1/audit/export', { query: { ...filter }, signal });
  }

  /** Whether the hash chain of the trail is intact. */
  async verify({ signal }: CallOptions = {}): Promise<AuditVerification> {
    return await this.api.get('/auth/v1/audit/verification', { signal });
  }
}

interface OfTenant {
  /** Id of an organization or project. */
  readonly tenantId?: string | undefined;
}

/** The audit trail of the deployment, for its operator. */
export class AdminAudit {
  constructor(private readonly api: SharedApi) {}

  /** Newest first. */
  list({ signal, tenantId, ...filter }: AuditFilter & OfTenant & CallOptions = {}): List<AuditEntry> {
    const query = { ...filter, org_id: tenantId };
    return this.api.list('/admin/v1/audit', { query, as: 'operator', signal });
  }

  /** A file, before its body is read. */
  async export({
    signal,
    tenantId,
    ...filter
  }: AuditExport & OfTenant & CallOptions = {}): Promise<Response> {
    const query = { ...filter, org_id: tenantId };
    return await this.api.file('/admin/v1/audit/export', { query, as: 'operator', signal });
  }
}
