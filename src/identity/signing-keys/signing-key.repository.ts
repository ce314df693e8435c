import { Injectable } from '@nestjs/common';
import type { JsonWebKey } from 'node:crypto';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ADVISORY_LOCKS, firstRow, rows } from '../../platform/database/index.js';
import type { AutoCommit, Reader, Tx } from '../../platform/database/index.js';
import type { MintedKey } from './signing-key-pair.js';

/** `next` is published and waits, `active` signs, `retiring` only verifies, `retired` does nothing. */
export type SigningKeyState = 'next' | 'active' | 'retiring' | 'retired';

@Entity('signing_keys')
export class SigningKeyEntity {
  @PrimaryColumn('text')
  kid!: string;

  @Column('text')
  algorithm!: string;

  @Column('text')
  state!: SigningKeyState;

  @Column('jsonb', { name: 'public_jwk' })
  publicJwk!: JsonWebKey;

  /** Null as soon as the key no longer signs. */
  @Column('bytea', { name: 'sealed_private_key', nullable: true })
  sealedPrivateKey!: Buffer | null;

  /** The companion for run tokens. */
  @Column('jsonb', { name: 'run_public_jwk' })
  runPublicJwk!: JsonWebKey & { readonly kid: string };

  /** Null together with `sealedPrivateKey`. */
  @Column('bytea', { name: 'sealed_run_private_key', nullable: true })
  sealedRunPrivateKey!: Buffer | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** From when on it may sign. */
  @Column('timestamptz', { name: 'signs_at' })
  signsAt!: Date;

  @Column('timestamptz', { name: 'active_at', nullable: true })
  activeAt!: Date | null;

  @Column('timestamptz', { name: 'retiring_at', nullable: true })
  retiringAt!: Date | null;

  /** When the last token that it signed has expired, and the publication lead has passed once more. */
  @Column('timestamptz', { name: 'retires_at', nullable: true })
  retiresAt!: Date | null;

  @Column('timestamptz', { name: 'retired_at', nullable: true })
  retiredAt!: Date | null;
}

interface Moved {
  readonly kid: string;
}

/**
 * The rows of signing keys. Times are the database's, so that instances agree on them whatever their own clocks say.
 * Every change of state is guarded by the state it expects, and made under the rotation lock.
 */
@Injectable()
export class SigningKeyRepository {
  /** Waits until no other transaction of any instance changes signing keys; freed at the end of `tx`. */
  async lockRotation(tx: Tx): Promise<void> {
    await rows(tx, 'SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))', [
      ADVISORY_LOCKS.signingKeys,
    ]);
  }

  /** Every key that is not retired, oldest first. */
  async inUse(handle: Tx | Reader): Promise<SigningKeyEntity[]> {
    return await handle
      .createQueryBuilder(SigningKeyEntity, 'signing_key')
      .where(`state <> 'retired'`)
      .orderBy('created_at')
      .addOrderBy('kid')
      .getMany();
  }

  async now(handle: Tx | Reader): Promise<Date> {
    const read = await firstRow<{ now: Date }>(handle, 'SELECT clock_timestamp() AS now');
    if (read === null) throw new Error('the database returned no time');
    return read.now;
  }

  /** All keys, newest first, after the one with the id `before`. */
  async list(handle: Tx | Reader, limit: number, before: string | null): Promise<SigningKeyEntity[]> {
    const query = handle.createQueryBuilder(SigningKeyEntity, 'signing_key');
    if (before !== null) {
      query.where(
        `(created_at, kid) < (SELECT last.created_at, last.kid FROM signing_keys last WHERE last.kid = :before)`,
        { before },
      );
    }
    return await query.orderBy('created_at', 'DESC').addOrderBy('kid', 'DESC').limit(limit).getMany();
  }

  async insertActive(tx: Tx, key: MintedKey): Promise<void> {
    await rows(
      tx,
      `INSERT INTO signing_keys
         (kid, algorithm, public_jwk, sealed_private_key, run_public_jwk, sealed_run_private_key, state, created_at,
          signs_at, active_at)
       SELECT $1, $2, $3, $4, $5, $6, 'active', clock.now, clock.now, clock.now
       FROM clock_timestamp() AS clock (now)`,
      columnsOf(key),
    );
  }

  /** @param leadSecs how long it is published before it signs */
  async insertNext(tx: Tx, key: MintedKey, leadSecs: number): Promise<void> {
    await rows(
      tx,
      `INSERT INTO signing_keys
         (kid, algorithm, public_jwk, sealed_private_key, run_public_jwk, sealed_run_private_key, state, created_at,
          signs_at)
       SELECT $1, $2, $3, $4, $5, $6, 'next', clock.now, clock.now + make_interval(secs => $7)
       FROM clock_timestamp() AS clock (now)`,
      [...columnsOf(key), leadSecs],
    );
  }

  /** Whether a key waits whose time to sign has come. */
  async nextIsDue(tx: Tx): Promise<boolean> {
    const due = await rows(
      tx,
      `SELECT FROM signing_keys WHERE state = 'next' AND signs_at <= clock_timestamp()`,
    );
    return due.length > 0;
  }

  /**
   * The active key stops signing; it stays published for `keepSecs`, and at least for `leadSecs` after the end of the
   * longest-lived token that it signed.
   */
  async startRetiring(tx: Tx, keepSecs: number, leadSecs: number): Promise<Moved[]> {
    return await rows<Moved>(
      tx,
      `UPDATE signing_keys
       SET state = 'retiring', sealed_private_key = NULL, sealed_run_private_key = NULL, retiring_at = clock_timestamp(),
           retires_at = greatest(clock_timestamp() + make_interval(secs => $1),
                                 tokens_until + make_interval(secs => $2))
       WHERE state = 'active' RETURNING kid`,
      [keepSecs, leadSecs],
    );
  }

  /** Notes that the key signs a token that lives so long: it must stay published until then, whenever it retires. */
  async noteTokenUntil(handle: AutoCommit, kid: string, until: Date): Promise<void> {
    await rows(
      handle,
      `UPDATE signing_keys SET tokens_until = greatest(tokens_until, $2::timestamptz) WHERE kid = $1`,
      [kid, until],
    );
  }

  /** The waiting key signs from now on. There must be no active one. */
  async activateNext(tx: Tx): Promise<Moved[]> {
    return await rows<Moved>(
      tx,
      `UPDATE signing_keys
       SET state = 'active', active_at = clock_timestamp(), signs_at = least(signs_at, clock_timestamp())
       WHERE state = 'next' RETURNING kid`,
    );
  }

  /** Retires the keys whose tokens have all expired. */
  async retireDue(tx: Tx): Promise<Moved[]> {
    return await rows<Moved>(
      tx,
      `UPDATE signing_keys SET state = 'retired', retired_at = clock_timestamp()
       WHERE state = 'retiring' AND retires_at <= clock_timestamp() RETURNING kid`,
    );
  }

  /** Retires every key that has signed, even if its tokens have not expired. */
  async retireAllThatSigned(tx: Tx): Promise<Moved[]> {
    return await rows<Moved>(
      tx,
      `UPDATE signing_keys SET state = 'retired', sealed_private_key = NULL, sealed_run_private_key = NULL,
           retired_at = clock_timestamp()
       WHERE state IN ('active', 'retiring') RETURNING kid`,
    );
  }
}

function columnsOf(key: MintedKey): unknown[] {
  return [
    key.kid,
    key.algorithm,
    JSON.stringify(key.publicJwk),
    key.sealedPrivateKey,
    JSON.stringify(key.runPublicJwk),
    key.sealedRunPrivateKey,
  ];
}
