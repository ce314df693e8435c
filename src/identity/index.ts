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
export type { SignInOutcome } from './sign-in/sign-in.js';
export { InvitedSignUp, InvitedAccounts } from './sign-in/methods/invited-sign-up.js';
export { AccountStateRepository, AccountStates } from './users/account-states.js';
export { Accounts } from './accounts/accounts.js';
export { EmailField, normalizeEmail } from './users/email-address.js';
export { NO_METADATA } from './users/metadata.js';
export { IdentityCoreModule } from './identity-core.module.js';
export { IdentityProfile } from './retention/identity-profile.js';
export {
  DISCOVERY_MAX_AGE_SECS,
  DiscoveryDto,
  discoveryOf,
  JWKS_MAX_AGE_SECS,
  JwksDto,
} from './signing-keys/discovery.js';
export { liveSessionSql, SessionLiveness } from './sessions/session-liveness.js';
export { MAIL_QUEUE } from './mail-outbox/mail-outbox.js';
export { mailLink } from './mails/account-mails.js';
export type { OutboxState } from './mail-outbox/outgoing-mail.repository.js';
export { InvitationMails } from './mails/invitation-mails.js';
export { factorSecretAssociatedData } from './factors/factor.repository.js';
export { SecondFactorGrant } from './factors/factor.dto.js';
export { PasskeyGrant, PasskeySignInOptionsDto, toPasskeySignInOptionsDto } from './factors/passkey.dto.js';
export { DeploymentRelyingParty } from './passkeys/relying-party.js';
export type { OfferedPasskeySignIn } from './passkeys/passkey-sign-in-challenges.js';
export { SignInGrants } from './sign-in/sign-in-grants.js';
export {
  OutgoingMailRepository,
  outgoingMailAssociatedData,
} from './mail-outbox/outgoing-mail.repository.js';
export { UserSessions } from './sessions/user-sessions.js';
export { UserSessionRepository } from './sessions/user-session.repository.js';
export { BreachedPasswords } from './passwords/breached-passwords.js';
export { NewPassword } from './passwords/new-password.js';
export { OneTimeTokens } from './one-time-tokens/one-time-tokens.js';
export { OperatorRepository } from './operators/operator.repository.js';
export type { OperatorAccess } from './operators/operator.repository.js';
export { OperatorSetup } from './operators/operator-setup.js';
export { Operators } from './operators/operators.js';
export { PasswordGrant } from './credentials.js';
export { PageEndings } from './redirects/page-endings.js';
export { RedirectToField } from './redirects/redirect-fields.js';
export { SignInCodeRepository } from './redirects/sign-in-code.repository.js';
export { RedirectUrls } from './redirects/redirect-urls.js';
export type { RedirectList, RedirectRequest } from './redirects/redirect-urls.js';
export { PasswordHasher } from './passwords/password-hasher.js';
export { PasswordPolicy } from './passwords/password-policy.js';
export { PasswordField } from './passwords/password-field.js';
export { Sessions } from './sessions/sessions.js';
export { SigningKeyEntity, SigningKeyRepository } from './signing-keys/signing-key.repository.js';
export { SigningKeyRotation } from './signing-keys/signing-key-rotation.js';
export { rotationDueAt, transitionDueAt } from './signing-keys/signing-key-times.js';
export { SigningKeys } from './signing-keys/signing-keys.js';
export type { PublicKey } from './signing-keys/signing-keys.js';
export { SigningKeysModule } from './signing-keys/signing-keys.module.js';
export {
  ACCESS_TOKEN_ALGORITHM,
  RUN_TOKEN_ALGORITHM,
  runTokenKeyAssociatedData,
  signingKeyAssociatedData,
} from './signing-keys/signing-key-pair.js';
export { html, page, PageView } from './pages/index.js';
export type { PageAnswer } from './pages/index.js';
export { NO_BRAND } from './brand/index.js';
export { DEPLOYMENT_REALM, OPERATOR_REALM, UserEntity, UserRepository } from './users/user.repository.js';
export type { TokenPair } from './sessions/sessions.js';
export type { PreparedAccount } from './sign-in/methods/invited-sign-up.js';
export type { RealmId } from './users/user.repository.js';
export type { Rotated } from './signing-keys/signing-key-rotation.js';
export type { SigningKeyState } from './signing-keys/signing-key.repository.js';
export {
  InvitationTokens,
  MembershipRemoval,
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
  mailPasswordAssociatedData,
  ProjectIdentityProfile,
  ProjectNames,
  ProjectProfileModule,
} from './profiles/project/index.js';
export { UserDisabling } from './managed-accounts/index.js';
export { ImportTenants, MAX_TENANTS, nameOf, refuse } from './imports/index.js';
export type {
  LockedTenants,
  ImportedAccount,
  ImportProblem,
  TenantField,
  WantedAccount,
  WantedTenant,
} from './imports/index.js';
