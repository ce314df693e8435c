import type { JsonWebKey } from 'node:crypto';
import { Column, Entity, PrimaryColumn } from 'typeorm';

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

  @Column('bytea', { name: 'sealed_private_key' })
  sealedPrivateKey!: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
