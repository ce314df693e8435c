import { createOrganizationClient } from './organization-client.js';
import type { OrganizationClient, OrganizationClientOptions } from './organization-client.js';
import { createProjectClient } from './project-client.js';
import type { ProjectClient, ProjectClientOptions } from './project-client.js';
import type { AnyJobs, JobTypes } from './resources/job-types.js';

/**
 * A client of the service at `url`: of a project with its key in `apikey`, or with `profile: 'project'`; or else of the
 * organization profile.
 *
 *     interface Jobs { greet: { payload: { name: string }; result: { greeting: string } } }
 *     const client = createClient<Jobs>({ url });
 *
 * @typeParam Jobs the payloads and results of the jobs, by job id; without it every job takes any object
 * @throws TypeError when `url` is not an HTTP address
 */
export function createClient<Jobs extends JobTypes<Jobs> = AnyJobs>(
  options: ProjectClientOptions,
): ProjectClient<Jobs>;
export function createClient<Jobs extends JobTypes<Jobs> = AnyJobs>(
  options: OrganizationClientOptions,
): OrganizationClient<Jobs>;
export function createClient<Jobs extends JobTypes<Jobs>>(
  options: OrganizationClientOptions | ProjectClientOptions,
): OrganizationClient<Jobs> | ProjectClient<Jobs> {
  return isOfProject(options) ? createProjectClient<Jobs>(options) : createOrganizationClient<Jobs>(options);
}

function isOfProject(
  options: OrganizationClientOptions | ProjectClientOptions,
): options is ProjectClientOptions {
  return options.apikey !== undefined || options.profile === 'project';
}
