import { generateKeyPairSync } from 'node:crypto';

declare global {
  /** Set when jest runs the suites of jobs a second time, with projects instead of organizations (jest.config.js). */
  var TEST_PROFILE: 'organization' | 'project' | undefined;
}

export const isInProjects = globalThis.TEST_PROFILE === 'project';

/** The operator, who creates projects for suites that run in them. */
export const OPERATOR_TOKEN = 'operator-of-the-suites-in-projects';

const PROJECT_DOMAIN = 'projects.test';

/** The column that says which tenant a row of a watched table belongs to. */
export const ROW_COLUMN = isInProjects ? 'project_id' : 'org_id';

/** How the audit trail names the caller that `signUpOwner` returns. */
export const OWNER_TYPE = isInProjects ? 'project_key' : 'user';

/** For tests that only concern organizations: their roles, members and keys. */
export const itInOrganizations = isInProjects ? it.skip : it;

/** What makes a request be for this tenant without any credentials. */
export function addressOf(slug: string): Record<string, string> {
  return isInProjects ? { 'x-forwarded-host': `${slug}.${PROJECT_DOMAIN}` } : {};
}

/** Configures the program for the profile that the suites run in. */
export function profileVariables(inProjects = isInProjects): Record<string, string> {
  if (!inProjects) return {};
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    SERVICE_IDENTITY__PROFILE: 'project',
    SERVICE_AUTH__JWT_PEM: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    SERVICE_AUTH__PROJECT_DOMAIN: PROJECT_DOMAIN,
    SERVICE_ADMIN__TOKEN: OPERATOR_TOKEN,
    // fetch does not allow setting the Host header.
    SERVICE_SERVER__TRUST_PROXY: '1',
  };
}
