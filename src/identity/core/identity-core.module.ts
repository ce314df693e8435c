import { Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { makeCounterProvider } from '@willsoto/nestjs-prometheus';
import { DutyRoster } from '../../platform/lifecycle/index.js';
import { AccessTokenIssuer } from './access-token.js';
import { AccountStates } from './account-states.js';
import { Accounts } from './accounts.js';
import { InvitedAccounts } from './invited-account.js';
import { PASSWORD_HASHES, PasswordHasher } from './password-hasher.js';
import { PasswordSignIn } from './password-sign-in.js';
import { SessionRepository } from './session.repository.js';
import { Sessions } from './sessions.js';
import { SigningKeyEntity } from './signing-key.entity.js';
import { SigningKeyRotation } from './signing-key-rotation.js';
import { SigningKeySchedule } from './signing-key-schedule.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import { SigningKeys } from './signing-keys.js';
import { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserEntity, SigningKeyEntity])],
  providers: [
    makeCounterProvider({ name: PASSWORD_HASHES, help: 'Argon2 computations begun.' }),
    AccessTokenIssuer,
    AccountStates,
    Accounts,
    InvitedAccounts,
    PasswordHasher,
    PasswordSignIn,
    SessionRepository,
    Sessions,
    SigningKeyRepository,
    SigningKeyRotation,
    SigningKeySchedule,
    SigningKeys,
    UserRepository,
  ],
  exports: [
    AccountStates,
    Accounts,
    InvitedAccounts,
    PasswordSignIn,
    Sessions,
    SigningKeyRepository,
    SigningKeyRotation,
    SigningKeys,
    UserRepository,
  ],
})
export class IdentityCoreModule implements OnModuleInit {
  constructor(
    private readonly roster: DutyRoster,
    private readonly signingKeySchedule: SigningKeySchedule,
  ) {}

  onModuleInit(): void {
    this.roster.enrol(this.signingKeySchedule);
  }
}
