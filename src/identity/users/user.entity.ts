import { Column, Entity, PrimaryColumn } from 'typeorm';

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
