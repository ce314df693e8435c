import { Injectable } from '@nestjs/common';
import { rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import { UserEntity } from './user.entity.js';

/** The space in which an address names one account. */
export type RealmId = string & { readonly __realm: unique symbol };

@Injectable()
export class UserRepository {
  async findByEmail(handle: Tx | Reader, realmId: RealmId, email: string): Promise<UserEntity | null> {
    return await handle.findOneBy(UserEntity, { realmId, email });
  }

  async findById(handle: Tx | Reader, id: string): Promise<UserEntity | null> {
    return await handle.findOneBy(UserEntity, { id });
  }

  /** Inserts the account unless its address is taken, and says whether it did. */
  async insert(tx: Tx, user: UserEntity): Promise<boolean> {
    const inserted = await rows(
      tx,
      `INSERT INTO users (id, realm_id, email, email_verified, password_hash, metadata, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (realm_id, email) DO NOTHING
       RETURNING id`,
      [
        user.id,
        user.realmId,
        user.email,
        user.emailVerified,
        user.passwordHash,
        user.metadata,
        user.createdAt,
      ],
    );
    return inserted.length === 1;
  }

  /** Replaces a hash made with weaker parameters, unless the password was changed meanwhile. */
  async upgradeHash(tx: Tx, id: string, oldHash: string, newHash: string): Promise<void> {
    await tx.update(UserEntity, { id, passwordHash: oldHash }, { passwordHash: newHash });
  }
}
