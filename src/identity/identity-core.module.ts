import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { makeCounterProvider } from '@willsoto/nestjs-prometheus';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import { AddressChangeMails } from './address-changes/address-change-mails.js';
import { AddressChangeRequests } from './address-changes/address-change-requests.js';
import { AddressChangeRepository } from './address-changes/address-change.repository.js';
import { AddressChanges } from './address-changes/address-changes.js';
import { AccountUpdates } from './accounts/account-updates.js';
import { Accounts } from './accounts/accounts.js';
import { ChallengeRepository } from './factors/challenge.repository.js';
import { FactorChanges, FactorSessions } from './factors/factor-changes.js';
import { FactorProofs } from './factors/factor-proofs.js';
import { FactorRepository } from './factors/factor.repository.js';
import { Factors } from './factors/factors.js';
import { PasskeyCreation } from './factors/passkey-creation.js';
import { PasskeyFactors } from './factors/passkey-factors.js';
import { TotpFactors } from './factors/totp-factors.js';
import { Reauthentication } from './factors/reauthentication.js';
import { StepUp } from './factors/step-up.js';
import { AccountAttempts } from './guessing/account-attempts.js';
import { ImportedHashRepository } from './guessing/imported-hash.repository.js';
import { KnownAddresses } from './guessing/known-addresses.js';
import { PasswordGuesses, PasswordProof } from './guessing/password-guesses.js';
import { StandInHashes } from './guessing/stand-in-hashes.js';
import { UserLanguages } from './languages/index.js';
import { AccountNotices } from './mail-outbox/account-notices.js';
import { InvitationMails } from './mails/invitation-mails.js';
import { MailClaims } from './mail-outbox/mail-claims.js';
import { MailComposer, MailTokens } from './mail-outbox/mail-composer.js';
import { MailCountRepository } from './mails/mail-count.repository.js';
import { MailDelivery } from './mail-outbox/mail-delivery.js';
import { MailDispatch } from './mail-outbox/mail-dispatch.js';
import { MailHistoryRepository } from './mails/mail-history.repository.js';
import { MailListRepository } from './mail-outbox/mail-list.js';
import { MailLimits } from './mails/mail-limits.js';
import { MailOutbox } from './mail-outbox/mail-outbox.js';
import { OutgoingMailRepository } from './mail-outbox/outgoing-mail.repository.js';
import { RequestedAccounts } from './mail-outbox/requested-accounts.js';
import { OneTimeTokenRefusals, OneTimeTokens } from './one-time-tokens/one-time-tokens.js';
import { OperatorRepository } from './operators/operator.repository.js';
import { OperatorSetup } from './operators/operator-setup.js';
import { OperatorsController } from './operators/operators.controller.js';
import { Operators } from './operators/operators.js';
import { BREACHED_PASSWORD_CHECKS, BreachedPasswords } from './passwords/breached-passwords.js';
import { PasskeyChallengeRepository } from './passkeys/passkey-challenge.repository.js';
import { PasskeyProofs } from './passkeys/passkey-proofs.js';
import { PasskeySignInChallenges } from './passkeys/passkey-sign-in-challenges.js';
import { PasskeySignInTokens } from './passkeys/passkey-sign-in-tokens.js';
import { PasskeyRepository } from './passkeys/passkey.repository.js';
import { NewPassword } from './passwords/new-password.js';
import { PASSWORD_HASHES, PasswordHasher } from './passwords/password-hasher.js';
import { PasswordPolicy } from './passwords/password-policy.js';
import { ExpiredRowCleanup } from './retention/expired-row-cleanup.js';
import { SessionLiveness } from './sessions/session-liveness.js';
import { SessionRepository } from './sessions/session.repository.js';
import { Sessions } from './sessions/sessions.js';
import { UserSessionRepository } from './sessions/user-session.repository.js';
import { UserSessions } from './sessions/user-sessions.js';
import { AddressProof } from './sign-in/address-proof.js';
import { EnrolmentChallenges } from './sign-in/enrolment/enrolment-challenges.js';
import { FactorEnrolment } from './sign-in/enrolment/factor-enrolment.js';
import { InvitedSignUp, InvitedAccounts } from './sign-in/methods/invited-sign-up.js';
import { AddressVerification, VerificationMails } from './sign-in/methods/address-verification.js';
import { CodeSignIn } from './sign-in/methods/code-sign-in.js';
import { LinkRenewal } from './sign-in/methods/link-renewal.js';
import { MailRequests } from './sign-in/methods/mail-requests.js';
import { PageEndings } from './redirects/page-endings.js';
import { RedirectUrls } from './redirects/redirect-urls.js';
import { SignInCodeRepository } from './redirects/sign-in-code.repository.js';
import { AddressReplacement } from './address-changes/address-replacement.js';
import { MagicLinks } from './sign-in/methods/magic-links.js';
import { PasskeyRefusals, PasskeySignIn } from './sign-in/methods/passkey-sign-in.js';
import { PasswordByToken } from './sign-in/methods/password-by-token.js';
import { PasswordSignIn } from './sign-in/methods/password-sign-in.js';
import { Recovery } from './sign-in/methods/recovery.js';
import { SecondFactorSignIn } from './sign-in/methods/second-factor-sign-in.js';
import { SignUp } from './sign-in/methods/sign-up.js';
import { SignInGrants } from './sign-in/sign-in-grants.js';
import { SignIn } from './sign-in/sign-in.js';
import { AccountStateRepository, AccountStates } from './users/account-states.js';
import { SignInPolicyRepository } from './users/sign-in-policies.js';
import { SignUpRules } from './users/sign-up-rules.js';
import { UserEntity, UserRepository } from './users/user.repository.js';

/** Accounts and sessions, whatever the profile; needs a global module that provides `AccessTokenSigner` and `RunTokenIssuer`. */
@Module({
  imports: [TypeOrmModule.forFeature([UserEntity])],
  controllers: [OperatorsController],
  providers: [
    AddressChangeMails,
    AddressChangeRepository,
    AddressChangeRequests,
    AddressChanges,
    makeCounterProvider({ name: PASSWORD_HASHES, help: 'Password hashes begun.' }),
    makeCounterProvider({
      name: BREACHED_PASSWORD_CHECKS,
      help: 'New passwords looked up among breached ones, by outcome.',
      labelNames: ['outcome'],
    }),
    AccountAttempts,
    InvitedSignUp,
    AccountNotices,
    AccountStateRepository,
    AccountStates,
    AccountUpdates,
    Accounts,
    AddressProof,
    AddressReplacement,
    AddressVerification,
    BreachedPasswords,
    ChallengeRepository,
    CodeSignIn,
    EnrolmentChallenges,
    FactorChanges,
    FactorEnrolment,
    FactorProofs,
    FactorRepository,
    FactorSessions,
    Factors,
    ImportedHashRepository,
    InvitationMails,
    InvitedAccounts,
    KnownAddresses,
    LinkRenewal,
    MagicLinks,
    MailClaims,
    MailComposer,
    MailCountRepository,
    MailDelivery,
    MailDispatch,
    MailHistoryRepository,
    MailLimits,
    MailListRepository,
    MailOutbox,
    MailRequests,
    MailTokens,
    NewPassword,
    OneTimeTokenRefusals,
    OneTimeTokens,
    OperatorRepository,
    OperatorSetup,
    Operators,
    OutgoingMailRepository,
    PageEndings,
    UserSessionRepository,
    UserSessions,
    PasskeyChallengeRepository,
    PasskeyCreation,
    PasskeyFactors,
    PasskeyProofs,
    PasskeyRefusals,
    PasskeyRepository,
    PasskeySignIn,
    PasskeySignInChallenges,
    PasskeySignInTokens,
    PasswordByToken,
    PasswordGuesses,
    PasswordHasher,
    PasswordPolicy,
    PasswordProof,
    PasswordSignIn,
    ExpiredRowCleanup,
    Reauthentication,
    Recovery,
    RedirectUrls,
    RequestedAccounts,
    SecondFactorSignIn,
    SessionLiveness,
    SessionRepository,
    Sessions,
    SignIn,
    SignInCodeRepository,
    SignInGrants,
    SignInPolicyRepository,
    SignUp,
    SignUpRules,
    StandInHashes,
    StepUp,
    TotpFactors,
    UserLanguages,
    UserRepository,
    VerificationMails,
  ],
  exports: [
    AddressChangeRequests,
    AddressChanges,
    CodeSignIn,
    LinkRenewal,
    MailRequests,
    PageEndings,
    RedirectUrls,
    InvitedSignUp,
    AccountNotices,
    AccountStates,
    AccountUpdates,
    Accounts,
    AddressVerification,
    FactorEnrolment,
    FactorRepository,
    Factors,
    InvitationMails,
    InvitedAccounts,
    MagicLinks,
    MailLimits,
    MailListRepository,
    MailOutbox,
    NewPassword,
    OneTimeTokens,
    OperatorRepository,
    OperatorSetup,
    Operators,
    UserSessionRepository,
    UserSessions,
    PasskeyFactors,
    PasswordByToken,
    PasswordHasher,
    PasswordPolicy,
    PasswordProof,
    PasswordSignIn,
    Recovery,
    SecondFactorSignIn,
    SessionLiveness,
    Sessions,
    SignIn,
    SignInGrants,
    SignInPolicyRepository,
    SignUp,
    SignUpRules,
    StepUp,
    UserLanguages,
    UserRepository,
    VerificationMails,
  ],
})
export class IdentityCoreModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly backgroundServices: BackgroundServices,
    private readonly mailDispatch: MailDispatch,
    private readonly pruning: ExpiredRowCleanup,
    private readonly standIns: StandInHashes,
  ) {}

  onModuleInit(): void {
    if (this.config.roles.has('api')) this.backgroundServices.register(this.standIns);
    if (!this.config.roles.has('worker')) return;
    this.backgroundServices.register(this.mailDispatch);
    this.backgroundServices.register(this.pruning);
  }
}
