import { ServiceError } from '../platform/http/index.js';
import { covers } from './permission.js';

/**
 * Nobody gives, or takes away, what they do not hold. Called wherever a permission is handed over: making and
 * changing a role (its old permissions as well as its new), assigning one, inviting, making an API key.
 *
 * @throws permission_not_held
 */
export function demandHeld(held: readonly string[], handedOver: readonly string[]): void {
  const missing = handedOver.find((permission) => !covers(held, permission));
  if (missing === undefined) return;
  throw new ServiceError('permission_not_held', {
    hint: `This would hand over ${missing}, which the caller does not hold.`,
  });
}
