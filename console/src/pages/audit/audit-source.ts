import type { AuditEntry, AuditVerification } from '@service/client';
import type { usePages } from '../../parts/use-pages.js';

/** Which entries, as the filters of the page have them. */
export interface AuditMatch {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly since?: string;
  readonly until?: string;
}

export const FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof FORMATS)[number];

/** A trail: of an organization, of a project or of the deployment. */
export interface AuditSource {
  readonly key: readonly unknown[];
  readonly list: (
    filter: AuditMatch & { readonly limit: number; readonly signal: AbortSignal },
  ) => ReturnType<Parameters<typeof usePages<AuditEntry>>[1]>;
  readonly export: (filter: AuditMatch & { readonly format: ExportFormat }) => Promise<Response>;
  /** The name of an organization or project, where the trail is of several; null where it is of one. */
  readonly nameOfTenant: ((id: string) => string | undefined) | null;
  /** Null for a trail of several chains. */
  readonly verify: ((signal: AbortSignal) => Promise<AuditVerification>) | null;
}
