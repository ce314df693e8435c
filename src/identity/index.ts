export {
  ACCESS_TOKEN_TYPE,
  AccountStates,
  Accounts,
  EmailField,
  IdentityCoreModule,
  InvitedAccounts,
  PasswordField,
  Sessions,
  SigningKeys,
  UserRepository,
} from './core/index.js';
export type { AccessTokenClaims, TokenPair, UserEntity } from './core/index.js';
export {
  DEPLOYMENT_REALM,
  OrganizationProfileModule,
  SessionDto,
  toSessionDto,
  toUserDto,
  UserDto,
  UserOrganizationDto,
  UserOrganizations,
} from './profiles/organization/index.js';
