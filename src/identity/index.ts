export {
  ACCESS_TOKEN_TYPE,
  AccessTokenSigner,
  AccountStates,
  Accounts,
  EmailField,
  IdentityCoreModule,
  InvitedAccounts,
  KEY_SET_MAX_AGE_SECS,
  KeySetDto,
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
  SigningKeysModule,
  signingKeySealContext,
  UserEntity,
  UserRepository,
} from './core/index.js';
export type {
  AccessToken,
  RealmId,
  Rotated,
  RunTokenSubject,
  SigningKeyState,
  TokenPair,
} from './core/index.js';
export {
  DEPLOYMENT_REALM,
  InvitationEntry,
  OrganizationDeparture,
  OrganizationProfileModule,
  OrganizationTokensModule,
  SessionDto,
  toSessionDto,
  toUserDto,
  UserDto,
  UserOrganizationDto,
  UserOrganizations,
} from './profiles/organization/index.js';
export type {
  AccessTokenClaims,
  InvitationDescription,
  RunTokenClaims,
} from './profiles/organization/index.js';
export { mailPasswordSealContext, ProjectNames, ProjectProfileModule } from './profiles/project/index.js';
export { PROFILE_CONTRACTS } from './profile-contracts.js';
export { IdentityOperatorModule, UserDisabling } from './operator/index.js';
