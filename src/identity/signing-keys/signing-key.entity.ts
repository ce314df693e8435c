import type { JsonWebKey } from 'node:crypto';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `next` is published and waits, `active` signs, `retiring` only verifies, `retired` does nothing any more. */
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

  /** Null as soon as the key does not sign any more. */
  @Column('bytea', { name: 'sealed_private_key', nullable: true })
  sealedPrivateKey!: Buffer | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** From when on it may sign, whoever notices first. */
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
