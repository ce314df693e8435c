import { ServiceError } from '../service-error.js';

/** Names an organization other than the client's. */
export interface InOrganization {
  /** Id or slug; by default the client's own. */
  readonly org?: string | undefined;
}

/** The organization for a path. @throws ServiceError `org_required` */
export function organizationOf(given: string | undefined, own: string | undefined): string {
  const org = given ?? own;
  if (org !== undefined) return org;
  throw new ServiceError({
    code: 'org_required',
    message: 'The call does not say in which organization.',
    status: 0,
    hint: 'Name one in createClient({ org }), by client.inOrg(…), or in the call.',
  });
}
