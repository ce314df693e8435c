import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { makeCounterProvider } from '@willsoto/nestjs-prometheus';
import { CONFIG } from '../platform/config/index.js';
import type { Config } from '../platform/config/index.js';
import { BackgroundServices } from '../platform/lifecycle/index.js';
import { AccountUpdates } from './accounts/account-updates.js';
import { Accounts } from './accounts/accounts.js';
import { AccountAttempts } from './guessing/account-attempts.js';
import { KnownAddresses } from './guessing/known-addresses.js';
import { PasswordGuesses, PasswordProof } from './guessing/password-guesses.js';
import { AccountNotices } from './mail-outbox/account-notices.js';
import { MailClaims } from './mail-outbox/mail-claims.js';
import { MailComposer, MailTokens } from './mail-outbox/mail-composer.js';
import { MailCountRepository } from './mail-outbox/mail-count.repository.js';
import { MailDelivery } from './mail-outbox/mail-delivery.js';
import { MailDispatch } from './mail-outbox/mail-dispatch.js';
import { MailLimits } from './mail-outbox/mail-limits.js';
import { MailOutbox } from './mail-outbox/mail-outbox.js';
import { OutgoingMailRepository } from './mail-outbox/outgoing-mail.repository.js';
import { OneTimeTokenRefusals, OneTimeTokens } from './one-time-tokens/one-time-tokens.js';
import { OperatorRepository } from './operators/operator.repository.js';
import { OperatorSetup } from './operators/operator-setup.js';
import { Operators } from './operators/operators.js';
import { NewPassword } from './passwords/new-password.js';
import { PASSWORD_HASHES, PasswordHasher } from './passwords/password-hasher.js';
import { PasswordPolicy } from './passwords/password-policy.js';
import { ExpiredRowCleanup } from './retention/expired-row-cleanup.js';
import { ExpiredRowRepository } from './retention/expired-row.repository.js';
import { SessionLiveness } from './sessions/session-liveness.js';
import { SessionRepository } from './sessions/session.repository.js';
import { Sessions } from './sessions/sessions.js';
import { UserSessionRepository } from './sessions/user-session.repository.js';
import { UserSessions } from './sessions/user-sessions.js';
import { AddressProof } from './sign-in/address-proof.js';
import { AccountClaims, InvitedAccounts } from './sign-in/methods/account-claims.js';
import { AddressVerification, VerificationMails } from './sign-in/methods/address-verification.js';
import { MagicLinks } from './sign-in/methods/magic-links.js';
import { PasswordByToken } from './sign-in/methods/password-by-token.js';
import { PasswordSignIn } from './sign-in/methods/password-sign-in.js';
import { Recovery } from './sign-in/methods/recovery.js';
import { SignUp } from './sign-in/methods/sign-up.js';
import { SignIn } from './sign-in/sign-in.js';
import { AccountStateRepository, AccountStates } from './users/account-states.js';
import { SignUpRules } from './users/sign-up-rules.js';
import { UserEntity, UserRepository } from './users/user.repository.js';

/** Accounts and sessions, whatever the profile; needs a global module that provides `AccessTokenSigner` and `RunTokenIssuer`. */
@Module({
  imports: [TypeOrmModule.forFeature([UserEntity])],
  providers: [
    makeCounterProvider({ name: PASSWORD_HASHES, help: 'Argon2 computations begun.' }),
    AccountAttempts,
    AccountClaims,
    AccountNotices,
    AccountStateRepository,
    AccountStates,
    AccountUpdates,
    Accounts,
    AddressProof,
    AddressVerification,
    InvitedAccounts,
    KnownAddresses,
    MagicLinks,
    MailClaims,
    MailComposer,
    MailCountRepository,
    MailDelivery,
    MailDispatch,
    MailLimits,
    MailOutbox,
    MailTokens,
    NewPassword,
    OneTimeTokenRefusals,
    OneTimeTokens,
    OperatorRepository,
    OperatorSetup,
    Operators,
    OutgoingMailRepository,
    UserSessionRepository,
    UserSessions,
    PasswordByToken,
    PasswordGuesses,
    PasswordHasher,
    PasswordPolicy,
    PasswordProof,
    PasswordSignIn,
    ExpiredRowCleanup,
    ExpiredRowRepository,
    Recovery,
    SessionLiveness,
    SessionRepository,
    Sessions,
    SignIn,
    SignUp,
    SignUpRules,
    UserRepository,
    VerificationMails,
  ],
  exports: [
    AccountClaims,
    AccountNotices,
    AccountStates,
    AccountUpdates,
    Accounts,
    AddressVerification,
    InvitedAccounts,
    MagicLinks,
    MailLimits,
    MailOutbox,
    NewPassword,
    OneTimeTokens,
    OperatorRepository,
    OperatorSetup,
    Operators,
    UserSessionRepository,
    UserSessions,
    PasswordByToken,
    PasswordPolicy,
    PasswordProof,
    PasswordSignIn,
    Recovery,
    SessionLiveness,
    Sessions,
    SignIn,
    SignUp,
    SignUpRules,
    UserRepository,
    VerificationMails,
  ],
})
export class IdentityCoreModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly roster: BackgroundServices,
    private readonly mailDispatch: MailDispatch,
    private readonly pruning: ExpiredRowCleanup,
  ) {}

  onModuleInit(): void {
    if (!this.config.roles.has('worker')) return;
    this.roster.register(this.mailDispatch);
    this.roster.register(this.pruning);
  }
}
