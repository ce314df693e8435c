import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { firstRow, rows } from '../../platform/database/index.js';
import type { Reader, Tx } from '../../platform/database/index.js';
import type { Metadata } from './metadata.js';

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

  @Column('text')
  metadata!: Metadata;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;

  /** The language tag (BCP 47) that the user chose. */
  @Column('text', { nullable: true })
  locale!: string | null;

  /** Whether a second factor is in force. */
  @Column('boolean', { name: 'second_factor' })
  secondFactor!: boolean;
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
    await rows(tx, 'UPDATE users SET password_hash = $2, imported_hash = NULL WHERE id = $1', [
      id,
      passwordHash,
    ]);
  }

  async setMetadata(tx: Tx, id: string, metadata: Metadata): Promise<void> {
    await rows(tx, 'UPDATE users SET metadata = $2 WHERE id = $1', [id, metadata]);
  }

  async setLocale(tx: Tx, id: string, locale: string | null): Promise<void> {
    await tx.update(UserEntity, { id }, { locale });
  }

  async markVerified(tx: Tx, id: string): Promise<void> {
    await tx.update(UserEntity, { id }, { emailVerified: true });
  }

  /**
   * @returns whether the address before it was verified
   * @throws the violation of the unique address where another account of the realm has it
   */
  async setProvenEmail(tx: Tx, id: string, email: string): Promise<boolean> {
    const replaced = await firstRow<{ wasVerified: boolean }>(
      tx,
      `WITH former AS (
         SELECT realm_id, email, email_verified FROM users WHERE id = $1
       ), invitation_mails AS (
         UPDATE mail_history mail SET user_id = $1 FROM former
         WHERE mail.realm_id = former.realm_id AND mail.recipient = former.email AND mail.user_id IS NULL
       )
       UPDATE users SET email = $2, email_verified = true FROM former
       WHERE id = $1 RETURNING former.email_verified AS "wasVerified"`,
      [id, email],
    );
    return replaced?.wasVerified ?? true;
  }

  /** Marks the address as verified and invalidates the password and all access tokens. The caller ends the sessions. */
  async markVerifiedAnew(tx: Tx, id: string): Promise<void> {
    await rows(
      tx,
      `UPDATE users SET email_verified = true, password_hash = NULL, imported_hash = NULL, sessions_ended_at = now()
       WHERE id = $1`,
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

  /**
   * Removes the account with its sessions, one-time tokens and mails, those that wait and invitations included.
   * @returns its realm, null when there was no account
   */
  async delete(tx: Tx, id: string): Promise<RealmId | null> {
    const deleted = await firstRow<{ realmId: RealmId }>(
      tx,
      `WITH mails AS (
         DELETE FROM outgoing_mails mail USING users account
         WHERE account.id = $1 AND mail.realm_id = account.realm_id AND mail.recipient = account.email
       ), invitation_mails AS (
         DELETE FROM mail_history mail USING users account
         WHERE account.id = $1 AND mail.realm_id = account.realm_id AND mail.recipient = account.email
           AND mail.invitation_id IS NOT NULL
       )
       DELETE FROM users WHERE id = $1 RETURNING realm_id AS "realmId"`,
      [id],
    );
    return deleted?.realmId ?? null;
  }

  /** Removes all accounts of a realm with their sessions, one-time tokens and mails. */
  async deleteAllOf(tx: Tx, realmId: RealmId): Promise<void> {
    await rows(
      tx,
      `WITH mails AS (DELETE FROM outgoing_mails WHERE realm_id = $1) DELETE FROM users WHERE realm_id = $1`,
      [realmId],
    );
  }

  /**
   * Inserts the account unless its address is taken.
   * @returns whether it did
   */
  async insertUser(tx: Tx, user: UserEntity): Promise<boolean> {
    const inserted = await rows(
      tx,
      `INSERT INTO users (id, realm_id, email, email_verified, password_hash, metadata, created_at, locale)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
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
        user.locale,
      ],
    );
    return inserted.length === 1;
  }

  /**
   * Replaces a hash that was made with other parameters or by another system.
   * @returns whether it did: not if another hash took its place meanwhile
   */
  async renewHash(tx: Tx, id: string, oldHash: string, newHash: string): Promise<boolean> {
    const renewed = await rows(
      tx,
      `UPDATE users SET password_hash = $3, imported_hash = NULL WHERE id = $1 AND password_hash = $2 RETURNING id`,
      [id, oldHash, newHash],
    );
    return renewed.length === 1;
  }
}
