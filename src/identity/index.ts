export {
  ACCESS_TOKEN_TYPE,
  AccountStates,
  Accounts,
  EmailField,
  IdentityCoreModule,
  InvitedAccounts,
  mailLink,
  normalizeEmail,
  outgoingMailSealContext,
  OwnSessionRepository,
  PasswordField,
  Sessions,
  SigningKeyEntity,
  SigningKeyRepository,
  SigningKeyRotation,
  SigningKeys,
  signingKeySealContext,
  UserEntity,
  UserRepository,
} from './core/index.js';
export type { AccessTokenClaims, Rotated, SigningKeyState, TokenPair } from './core/index.js';
export {
  DEPLOYMENT_REALM,
  InvitationEntry,
  OrganizationDeparture,
  OrganizationProfileModule,
  SessionDto,
  toSessionDto,
  toUserDto,
  UserDto,
  UserOrganizationDto,
  UserOrganizations,
} from './profiles/organization/index.js';
export type { InvitationDescription } from './profiles/organization/index.js';
export { IdentityOperatorModule, UserDisabling } from './operator/index.js';
