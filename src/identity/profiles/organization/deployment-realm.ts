import type { RealmId } from '../../users/user.repository.js';

/** With organizations, an address names one account in the whole deployment. */
export const DEPLOYMENT_REALM = '00000000-0000-0000-0000-000000000000' as RealmId;
