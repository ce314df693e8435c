import { Inject, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { makeCounterProvider } from '@willsoto/nestjs-prometheus';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { DutyRoster } from '../../platform/lifecycle/index.js';
import { AccountClaims } from './account-claims.js';
import { AccountStateRepository } from './account-state.repository.js';
import { AccountStates } from './account-states.js';
import { AccountUpdates } from './account-updates.js';
import { Accounts } from './accounts.js';
import { AddressProof } from './address-proof.js';
import { AddressVerification } from './address-verification.js';
import { AccountAttempts } from './guessing/account-attempts.js';
import { KnownAddresses } from './guessing/known-addresses.js';
import { PasswordGuesses } from './guessing/password-guesses.js';
import { InvitedAccounts } from './invited-account.js';
import { MagicLinks } from './magic-links.js';
import { NewPassword } from './new-password.js';
import { OneTimeTokenRefusals } from './one-time-token-refusals.js';
import { OneTimeTokens } from './one-time-tokens.js';
import { MailClaims } from './outbox/mail-claims.js';
import { MailComposer } from './outbox/mail-composer.js';
import { MailDelivery } from './outbox/mail-delivery.js';
import { MailDispatch } from './outbox/mail-dispatch.js';
import { MailCountRepository } from './outbox/mail-count.repository.js';
import { MailLimits } from './outbox/mail-limits.js';
import { MailOutbox } from './outbox/mail-outbox.js';
import { MailTokens } from './outbox/mail-tokens.js';
import { OutgoingMailRepository } from './outbox/outgoing-mail.repository.js';
import { OwnSessionRepository } from './own-session.repository.js';
import { OwnSessions } from './own-sessions.js';
import { PASSWORD_HASHES, PasswordHasher } from './password-hasher.js';
import { PasswordByToken } from './password-by-token.js';
import { PasswordPolicy } from './password-policy.js';
import { PasswordProof } from './password-proof.js';
import { PasswordSignIn } from './password-sign-in.js';
import { Pruning } from './pruning/pruning.js';
import { PruningRepository } from './pruning/pruning.repository.js';
import { Recovery } from './recovery.js';
import { RecoveryRequests } from './recovery-requests.js';
import { SessionLiveness } from './session-liveness.js';
import { SessionRepository } from './session.repository.js';
import { Sessions } from './sessions.js';
import { SignUpRules } from './sign-up-rules.js';
import { SignUp } from './sign-up.js';
import { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { VerificationMails } from './verification-mails.js';

/** Accounts and sessions, whatever the profile; needs a global module that provides `AccessTokenSigner` and `RunTokenIssuer`. */
@Module({
  imports: [TypeOrmModule.forFeature([UserEntity])],
  providers: [
    makeCounterProvider({ name: PASSWORD_HASHES, help: 'Argon2 computations begun.' }),
    AccountAttempts,
    AccountClaims,
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
    OutgoingMailRepository,
    OwnSessionRepository,
    OwnSessions,
    PasswordByToken,
    PasswordGuesses,
    PasswordHasher,
    PasswordPolicy,
    PasswordProof,
    PasswordSignIn,
    Pruning,
    PruningRepository,
    Recovery,
    RecoveryRequests,
    SessionLiveness,
    SessionRepository,
    Sessions,
    SignUp,
    SignUpRules,
    UserRepository,
    VerificationMails,
  ],
  exports: [
    AccountClaims,
    AccountStates,
    AccountUpdates,
    Accounts,
    AddressVerification,
    InvitedAccounts,
    MagicLinks,
    MailLimits,
    OneTimeTokens,
    OwnSessions,
    PasswordByToken,
    PasswordPolicy,
    PasswordProof,
    PasswordSignIn,
    Recovery,
    RecoveryRequests,
    SessionLiveness,
    Sessions,
    SignUp,
    SignUpRules,
    UserRepository,
    VerificationMails,
  ],
})
export class IdentityCoreModule implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly roster: DutyRoster,
    private readonly mailDispatch: MailDispatch,
    private readonly pruning: Pruning,
  ) {}

  onModuleInit(): void {
    if (!this.config.roles.has('worker')) return;
    this.roster.enrol(this.mailDispatch);
    this.roster.enrol(this.pruning);
  }
}
