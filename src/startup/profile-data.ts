import type { Config } from '../platform/config/index.js';
import { firstRow } from '../platform/database/index.js';
import type { Reader, SelectText } from '../platform/database/index.js';
import { StartupError } from '../platform/startup/index.js';

type Profile = Config['identity']['profile'];

/**
 * What of a profile's data cannot be without the others of it. Signing keys are not among it: the first start makes
 * one, and to have started is not to be in use.
 */
const HOLDS_DATA: Readonly<Record<Profile, SelectText>> = {
  organization: `SELECT EXISTS (SELECT FROM organizations)
        OR EXISTS (SELECT FROM users WHERE realm_id = '00000000-0000-0000-0000-000000000000') AS holds`,
  project: `SELECT EXISTS (SELECT FROM projects)
        OR EXISTS (SELECT FROM users WHERE realm_id = '00000000-0000-0000-0000-000000000001') AS holds`,
};

/** @throws StartupError when the database holds what the other profile keeps, which this one would neither serve nor see */
export async function requireOwnData(profile: Profile, reader: Reader): Promise<void> {
  const other = profile === 'project' ? 'organization' : 'project';
  const found = await firstRow<{ holds: boolean }>(reader, HOLDS_DATA[other]);
  if (found?.holds !== true) return;
  throw new StartupError(
    `identity.profile is "${profile}", but this database holds data of the profile "${other}"; ` +
      `set identity.profile = "${other}" (SERVICE_IDENTITY__PROFILE), or use another database`,
  );
}
