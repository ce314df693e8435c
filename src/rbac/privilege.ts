import { ServiceError } from '../platform/http/index.js';
import { covers } from './permission.js';

/**
 * Nobody gives, or takes away, what they do not hold. Called wherever a permission is handed over or taken: making,
 * changing and deleting a role (its old permissions as well as its new), assigning one, removing a member, inviting,
 * revoking and replacing an invitation, making and revoking an API key.
 *
 * @throws permission_not_held
 */
export function requireHeld(held: readonly string[], concerned: readonly string[]): void {
  const missing = concerned.find((permission) => !covers(held, permission));
  if (missing === undefined) return;
  throw new ServiceError('permission_not_held', {
    hint: `This is about ${missing}, which the caller does not hold.`,
  });
}
