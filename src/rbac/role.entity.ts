import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('roles')
export class RoleEntity {
  @PrimaryColumn('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('text')
  name!: string;

  @Column('text', { array: true })
  permissions!: string[];

  @Column('boolean')
  builtin!: boolean;
}
