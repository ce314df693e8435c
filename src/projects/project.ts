import type { TenantId } from '../platform/http/index.js';

/** The two keys of a project: the public one, and the one that may do everything. */
export type ProjectKeyRole = 'anon' | 'service_role';

export interface Project {
  readonly id: TenantId;
  readonly ref: string;
  readonly name: string;
  /** Normalised; see `normalizedHost`. */
  readonly hosts: readonly string[];
  /** The `jti` of the anon key that is good now, and when it was issued. */
  readonly anonKeyId: string;
  readonly anonKeyAt: Date;
  readonly serviceKeyId: string;
  readonly serviceKeyAt: Date;
  readonly createdAt: Date;
}

/** `[a-z][a-z0-9-]{2,39}` (contract, section 6): also a DNS label, and the name of a key file. */
export const PROJECT_REF = /^[a-z][a-z0-9-]{2,39}$/;
