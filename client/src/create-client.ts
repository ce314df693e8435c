import { createOrganizationClient } from './organization-client.js';
import type { OrganizationClient, OrganizationClientOptions } from './organization-client.js';
import { createProjectClient } from './project-client.js';
import type { ProjectClient, ProjectClientOptions } from './project-client.js';

/**
 * A client of the service at `url`: of a project with its key in `apikey`, or else of the organization profile.
 * @throws TypeError when `url` is no HTTP address
 */
export function createClient(options: ProjectClientOptions): ProjectClient;
export function createClient(options: OrganizationClientOptions): OrganizationClient;
export function createClient(
  options: OrganizationClientOptions | ProjectClientOptions,
): OrganizationClient | ProjectClient {
  return isOfProject(options) ? createProjectClient(options) : createOrganizationClient(options);
}

function isOfProject(
  options: OrganizationClientOptions | ProjectClientOptions,
): options is ProjectClientOptions {
  return options.apikey !== undefined || options.profile === 'project';
}
