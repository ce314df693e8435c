export {
  ACCESS_TOKEN_TYPE,
  AccessTokenSigner,
  OperatorTokens,
  RUN_TOKEN_TYPE,
  RunTokenIssuer,
  SERVICE_ROLE,
} from './token-signers/token-signers.js';
export {
  PROJECT_AUDIENCE,
  PROJECT_TOKEN_ALGORITHM,
  PROJECT_USER_ROLE,
  ProjectSigningKeys,
  signProjectToken,
} from './token-signers/project-token-signers.js';
export type { ProjectSigningKey } from './token-signers/project-token-signers.js';
export type { TokenSubject } from './token-signers/token-signers.js';
export type { AccessTokenClaims, RunTokenClaims } from './token-signers/organization-token-signers.js';
export { SignIn } from './sign-in/sign-in.js';
export { AccountClaims, InvitedAccounts } from './sign-in/methods/account-claims.js';
export { AccountStateRepository, AccountStates } from './users/account-states.js';
export { Accounts } from './accounts/accounts.js';
export { EmailField, normalizeEmail } from './users/email-address.js';
export { IdentityCoreModule } from './identity-core.module.js';
export { IdentityProfile } from './retention/used-token-retention.js';
export {
  DISCOVERY_MAX_AGE_SECS,
  DiscoveryDto,
  discoveryOf,
  JWKS_MAX_AGE_SECS,
  JwksDto,
} from './signing-keys/discovery.js';
export { liveSessionSql, SessionLiveness } from './sessions/session-liveness.js';
export { MAIL_QUEUE } from './mail-outbox/mail-outbox.js';
export { mailLink } from './mail-outbox/account-mails.js';
export { MailLimits } from './mail-outbox/mail-limits.js';
export { outgoingMailPlace } from './mail-outbox/outgoing-mail.repository.js';
export { UserSessions } from './sessions/user-sessions.js';
export { UserSessionRepository } from './sessions/user-session.repository.js';
export { NewPassword } from './passwords/new-password.js';
export { OperatorRepository } from './operators/operator.repository.js';
export type { Operator, OperatorAccess, OperatorStanding } from './operators/operator.repository.js';
export { OperatorSetup } from './operators/operator-setup.js';
export { Operators } from './operators/operators.js';
export { PasswordGrant } from './credentials.js';
export { PasswordSignIn } from './sign-in/methods/password-sign-in.js';
export { PasswordHasher } from './passwords/password-hasher.js';
export { PasswordPolicy } from './passwords/password-policy.js';
export { PasswordField } from './passwords/password-field.js';
export { Sessions } from './sessions/sessions.js';
export { SigningKeyEntity, SigningKeyRepository } from './signing-keys/signing-key.repository.js';
export { SigningKeyRotation } from './signing-keys/signing-key-rotation.js';
export { SigningKeys } from './signing-keys/signing-keys.js';
export type { PublicKey } from './signing-keys/signing-keys.js';
export { SigningKeysModule } from './signing-keys/signing-keys.module.js';
export {
  ACCESS_TOKEN_ALGORITHM,
  RUN_TOKEN_ALGORITHM,
  runTokenKeyPlace,
  signingKeyPlace,
} from './signing-keys/signing-key-pair.js';
export { html, page, PAGE_HEADERS } from './pages/index.js';
export { DEPLOYMENT_REALM, OPERATOR_REALM, UserEntity, UserRepository } from './users/user.repository.js';
export type { MailUse } from './mail-outbox/mail-limits.js';
export type { OpenedSession, TokenPair } from './sessions/sessions.js';
export type { PreparedAccount } from './sign-in/methods/account-claims.js';
export type { RealmId } from './users/user.repository.js';
export type { Rotated } from './signing-keys/signing-key-rotation.js';
export type { SessionOfCaller } from './sessions/session-liveness.js';
export type { SigningKeyState } from './signing-keys/signing-key.repository.js';
export {
  InvitationEntry,
  OrganizationDeparture,
  OrganizationIdentityProfile,
  OrganizationProfileModule,
  SessionDto,
  toSessionDto,
  toUserDto,
  UserDto,
  UserOrganizationDto,
  UserOrganizations,
} from './profiles/organization/index.js';
export type { InvitationDescription } from './profiles/organization/index.js';
export {
  mailPasswordPlace,
  ProjectIdentityProfile,
  ProjectNames,
  ProjectProfileModule,
} from './profiles/project/index.js';
export { UserDisabling } from './operator/index.js';
