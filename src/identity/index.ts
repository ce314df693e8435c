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
  RUN_TOKEN_TYPE,
  RunTokenIssuer,
  SERVICE_ROLE,
  Sessions,
  SigningKeyEntity,
  SigningKeyRepository,
  SigningKeyRotation,
  SigningKeys,
  signingKeySealContext,
  UserEntity,
  UserRepository,
} from './core/index.js';
export type { AccessTokenClaims, RunTokenClaims, Rotated, SigningKeyState, TokenPair } from './core/index.js';
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
