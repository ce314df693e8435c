import { generateKeyPairSync } from 'node:crypto';

declare global {
  /** Set where jest runs the suites of jobs once more, with projects for organizations (jest.config.js). */
  var TEST_PROFILE: 'organization' | 'project' | undefined;
}

export const isInProjects = globalThis.TEST_PROFILE === 'project';

/** The operator, who makes projects where suites run in them. */
export const OPERATOR_TOKEN = 'operator-of-the-suites-in-projects';

const PROJECT_DOMAIN = 'projects.test';

/** By which column the rows of watched tables belong to tenants. */
export const ROW_COLUMN = isInProjects ? 'project_id' : 'org_id';

/** What the audit trail calls whoever `signUpOwner` gives. */
export const OWNER_TYPE = isInProjects ? 'project_key' : 'user';

/** For what is said of organizations alone: of their roles, members and keys. */
export const itInOrganizations = isInProjects ? it.skip : it;

/** What a request needs to be for this tenant without any credentials. */
export function addressOf(slug: string): Record<string, string> {
  return isInProjects ? { 'x-forwarded-host': `${slug}.${PROJECT_DOMAIN}` } : {};
}

/** What the program is configured with to serve the profile that the suites run in. */
export function profileVariables(inProjects = isInProjects): Record<string, string> {
  if (!inProjects) return {};
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    SERVICE_IDENTITY__PROFILE: 'project',
    SERVICE_AUTH__JWT_PEM: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    SERVICE_AUTH__PROJECT_DOMAIN: PROJECT_DOMAIN,
    SERVICE_ADMIN__TOKEN: OPERATOR_TOKEN,
    // fetch lets nobody choose the Host header.
    SERVICE_SERVER__TRUST_PROXY: '1',
  };
}
