import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';

@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** Where the address is unique: the nil UUID for the whole deployment, else a project's id. */
  @Column('uuid', { name: 'realm_id' })
  realmId!: string;

  @Column('text')
  email!: string;

  @Column('boolean', { name: 'email_verified' })
  emailVerified!: boolean;

  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Column('jsonb')
  metadata!: Record<string, unknown>;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;
}

/** The space in which an address names one account. */
export type RealmId = string & { readonly __realm: unique symbol };

/** Where an address names one account in the whole deployment. */
export const DEPLOYMENT_REALM = '00000000-0000-0000-0000-000000000000' as RealmId;

/** The realm of operators' accounts where users belong to projects. No project has this id. */
export const OPERATOR_REALM = '00000000-0000-0000-0000-000000000001' as RealmId;

@Injectable()
export class UserRepository {
  async findByEmail(handle: Tx | Reader, realmId: RealmId, email: string): Promise<UserEntity | null> {
    return await handle.findOneBy(UserEntity, { realmId, email });
  }

  async findById(handle: Tx | Reader, id: string): Promise<UserEntity | null> {
    return await handle.findOneBy(UserEntity, { id });
  }

  /**
   * Locks the account, so that password change, verification and disabling happen one after the other and a sign-in
   * waits for them. Locks on organizations come before this one, locks on sessions after.
   */
  async lock(tx: Tx, id: string): Promise<UserEntity | null> {
    return await tx.findOne(UserEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** As `lock`, but also prevents new references to the account: sessions and memberships. */
  async lockForDeletion(tx: Tx, id: string): Promise<UserEntity | null> {
    return await tx.findOne(UserEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async setPasswordHash(tx: Tx, id: string, passwordHash: string | null): Promise<void> {
    await tx.update(UserEntity, { id }, { passwordHash });
  }

  async setMetadata(tx: Tx, id: string, metadata: Record<string, unknown>): Promise<void> {
    await rows(tx, 'UPDATE users SET metadata = $2 WHERE id = $1', [id, metadata]);
  }

  async markVerified(tx: Tx, id: string): Promise<void> {
    await tx.update(UserEntity, { id }, { emailVerified: true });
  }

  /** Marks the address as verified and invalidates the password and all access tokens. The caller ends the sessions. */
  async markVerifiedAnew(tx: Tx, id: string): Promise<void> {
    await rows(
      tx,
      `UPDATE users SET email_verified = true, password_hash = NULL, sessions_ended_at = now() WHERE id = $1`,
      [id],
    );
  }

  /** Ends the access tokens of the sessions that the caller ends, which otherwise live on until they expire. */
  async endAccessTokens(tx: Tx, id: string): Promise<void> {
    await rows(tx, 'UPDATE users SET sessions_ended_at = now() WHERE id = $1', [id]);
  }

  async enable(tx: Tx, id: string): Promise<void> {
    await tx.update(UserEntity, { id }, { disabledAt: null });
  }

  /** Also ends the access tokens of all sessions for good: enabling the account does not revive them. */
  async disable(tx: Tx, id: string, disabledAt: Date): Promise<void> {
    await rows(tx, 'UPDATE users SET disabled_at = $2, sessions_ended_at = now() WHERE id = $1', [
      id,
      disabledAt,
    ]);
  }

  /** Removes the account with its sessions and one-time tokens. */
  async delete(tx: Tx, id: string): Promise<void> {
    await tx.delete(UserEntity, { id });
  }

  /** Removes all accounts of a realm with their sessions and one-time tokens. */
  async deleteAllOf(tx: Tx, realmId: RealmId): Promise<void> {
    await tx.delete(UserEntity, { realmId });
  }

  /**
   * Inserts the account unless its address is taken.
   * @returns whether it did
   */
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
