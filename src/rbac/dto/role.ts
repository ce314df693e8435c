import { ApiProperty } from '@nestjs/swagger';
import { PatternField } from '../../http/index.js';
import { PermissionsField } from '../permissions-field.js';
import type { Role } from '../role.repository.js';

/** The source of a pattern. */
export const ROLE_NAME = '[a-z][a-z0-9_-]{0,62}';

export class UpdateRoleBody {
  @PermissionsField()
  permissions!: string[];
}

export class CreateRoleBody extends UpdateRoleBody {
  @PatternField(
    new RegExp(`^${ROLE_NAME}$`),
    'must begin with a lower-case letter and go on with at most 62 of a-z, 0-9, _ and -',
    { example: 'analyst' },
  )
  name!: string;
}

export class RoleDto {
  @ApiProperty({ example: 'analyst' })
  name!: string;

  @ApiProperty({ type: [String], example: ['data:orders:read'] })
  permissions!: readonly string[];

  @ApiProperty({ description: 'Built-in roles can be neither changed nor deleted.' })
  builtin!: boolean;
}

export function toRoleDto({ name, permissions, builtin }: Role): RoleDto {
  return { name, permissions, builtin };
}
