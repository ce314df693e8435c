import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('members')
export class MemberEntity {
  @PrimaryColumn('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  role!: string;
}
