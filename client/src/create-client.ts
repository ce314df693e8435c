import { createOrganizationClient } from './organization-client.js';
import type { OrganizationClient, OrganizationClientOptions } from './organization-client.js';

/**
 * A client of the service at `url`.
 * @throws TypeError when `url` is no HTTP address
 */
export function createClient(options: OrganizationClientOptions): OrganizationClient {
  return createOrganizationClient(options);
}
