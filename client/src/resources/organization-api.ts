import type { paths } from '../generated/organization-api.js';
import type { Api } from '../http/api.js';

/** The operations of the organization profile; those of jobs, logs and the vault are the project profile's too. */
export type OrganizationApi = Api<paths>;

export interface Paged {
  /** Items of one page. */
  readonly limit?: number | undefined;
}
