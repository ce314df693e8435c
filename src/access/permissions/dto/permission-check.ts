import { ListField } from '../../../http/index.js';
import { ApiProperty } from '@nestjs/swagger';

const MAX_CHECKED = 100;

export class PermissionCheckBody {
  @ListField({
    of: 'permissions',
    min: 1,
    max: MAX_CHECKED,
    example: ['data:orders:read', 'data:orders:delete'],
    description: 'Concrete permissions, without `*`.',
  })
  permissions!: string[];
}

export class PermissionCheckDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'boolean' },
    example: { 'data:orders:read': true, 'data:orders:delete': false },
  })
  results!: Record<string, boolean>;
}
