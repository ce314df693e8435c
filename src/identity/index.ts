export {
  ACCESS_TOKEN_TYPE,
  AccountStates,
  Accounts,
  EmailField,
  IdentityCoreModule,
  PasswordField,
  Sessions,
  SigningKeys,
  UserRepository,
} from './core/index.js';
export type { AccessTokenClaims, UserEntity } from './core/index.js';
export {
  OrganizationProfileModule,
  UserOrganizationDto,
  UserOrganizations,
} from './profiles/organization/index.js';
