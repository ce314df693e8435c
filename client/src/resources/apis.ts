import type { OrganizationPaths, ProjectPaths, SharedPaths } from '../generated/api.js';
import type { Api } from '../http/api.js';

/** The operations on jobs, logs and the vault, which both profiles have. */
export type SharedApi = Api<SharedPaths>;
export type OrganizationApi = Api<OrganizationPaths>;
export type ProjectApi = Api<ProjectPaths>;

export interface Paged {
  /** The number of items in one page. */
  readonly limit?: number | undefined;
}

/** An instant as the API takes it. */
export function instant(value: Date | string | undefined): string | undefined {
  return value instanceof Date ? value.toISOString() : value;
}
