import type { UserOrganizationDto } from '../dto/user.js';

/**
 * The organizations of a user, which identity shows in the profile but does not keep. The module that
 * keeps them provides this; identity only asks.
 */
export abstract class UserOrganizations {
  abstract ofUser(userId: string): Promise<UserOrganizationDto[]>;
}
