import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { newId } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin } from '../../platform/http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { PasswordHasher } from './password-hasher.js';
import { Sessions } from './sessions.js';
import type { TokenPair } from './sessions.js';
import { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import type { RealmId } from './user.repository.js';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly metadata: Record<string, unknown>;
}

/** Accounts with an e-mail address and a password, unique within a realm. */
@Injectable()
export class Accounts {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly sessions: Sessions,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Creates an account and signs it in. @throws validation_failed, email_taken, overloaded */
  async signUp(realmId: RealmId, account: NewAccount, origin: Origin): Promise<TokenPair> {
    this.demandLength(account.password);
    const passwordHash = await this.hasher.hash(account.password);
    const user: UserEntity = Object.assign(new UserEntity(), {
      id: newId(),
      realmId,
      email: account.email,
      emailVerified: false,
      passwordHash,
      metadata: account.metadata,
      createdAt: this.clock.now(),
      disabledAt: null,
    });
    return await this.database.transaction(async (tx) => {
      if (!(await this.users.insert(tx, user))) throw new ServiceError('email_taken');
      await this.audit.append(tx, {
        actor: { type: 'user', id: user.id },
        action: 'user.signed_up',
        target: { type: 'user', id: user.id },
        orgId: null,
        userId: user.id,
        origin,
      });
      return await this.sessions.open(tx, user, origin, 'sign_up');
    });
  }

  private demandLength(password: string): void {
    const { passwordMinLength } = this.config.identity;
    if ([...password].length >= passwordMinLength) return;
    throw new ServiceError('validation_failed', {
      details: [{ path: 'password', message: `must have at least ${passwordMinLength} characters` }],
    });
  }
}
