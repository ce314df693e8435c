import type { Tx } from '../../../../platform/database/index.js';
import type { Origin } from '../../../../platform/http/index.js';

/**
 * What the organizations of a user have to say and do when the account goes. The module that keeps them
 * provides this; identity only asks.
 */
export abstract class OrganizationDeparture {
  /**
   * Takes the user out of every organization, and keeps them from joining one until `tx` ends. Locks
   * organizations and then the user's row.
   * @throws last_owner where one would be left without an owner who can sign in
   */
  abstract leaveAll(tx: Tx, userId: string, origin: Origin): Promise<void>;
}
