import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { CONFIG } from '../../platform/config/index.js';
import type { Config } from '../../platform/config/index.js';
import { newId } from '../../platform/crypto/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { ServiceError } from '../../platform/http/index.js';
import type { Origin } from '../../platform/http/index.js';
import { Clock } from '../../platform/lifecycle/index.js';
import { PasswordHasher } from './password-hasher.js';
import { Sessions } from './sessions.js';
import type { TokenPair } from './sessions.js';
import { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import type { RealmId } from './user.repository.js';

/** Accounts of invited people: whoever holds the invitation's link has shown that the address is theirs. */
@Injectable()
export class InvitedAccounts {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly sessions: Sessions,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  async find(handle: Tx | Reader, realmId: RealmId, email: string): Promise<UserEntity | null> {
    return await this.users.findByEmail(handle, realmId, email);
  }

  /** To be called before the transaction: it takes a core for a while. @throws validation_failed, overloaded */
  async hash(password: string): Promise<string> {
    const { passwordMinLength } = this.config.identity;
    if ([...password].length < passwordMinLength) {
      throw new ServiceError('validation_failed', {
        details: [{ path: 'password', message: `must have at least ${passwordMinLength} characters` }],
      });
    }
    return await this.hasher.hash(password);
  }

  /** Proves the account by its password, without opening a session. @throws invalid_credentials, overloaded */
  async prove(user: UserEntity, password: string, origin: Origin): Promise<void> {
    const matches = await this.hasher.verify(user.passwordHash, password);
    if (matches && user.disabledAt === null) return;
    await this.audit.appendAlone({
      actor: { type: 'anonymous', id: null },
      action: 'session.sign_in_refused',
      target: { type: 'user', id: user.id },
      orgId: null,
      userId: user.id,
      origin,
      details: { reason: user.disabledAt === null ? 'wrong_password' : 'disabled', by: 'invitation' },
    });
    throw new ServiceError('invalid_credentials');
  }

  /** Creates an account with the address verified and signs it in; null when the address has an account. */
  async create(
    tx: Tx,
    realmId: RealmId,
    account: { readonly email: string; readonly passwordHash: string },
    origin: Origin,
  ): Promise<TokenPair | null> {
    const user: UserEntity = Object.assign(new UserEntity(), {
      id: newId(),
      realmId,
      ...account,
      emailVerified: true,
      metadata: {},
      createdAt: this.clock.now(),
      disabledAt: null,
    });
    if (!(await this.users.insert(tx, user))) return null;
    await this.audit.append(tx, {
      actor: { type: 'user', id: user.id },
      action: 'user.signed_up',
      target: { type: 'user', id: user.id },
      orgId: null,
      userId: user.id,
      origin,
      details: { by: 'invitation' },
    });
    return await this.sessions.open(tx, user, origin, 'invitation');
  }
}
