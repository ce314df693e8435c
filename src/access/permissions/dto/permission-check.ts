import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';

const MAX_CHECKED = 100;

export class PermissionCheckBody {
  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_CHECKED,
    example: ['data:orders:read', 'data:orders:delete'],
    description: 'Concrete permissions, without `*`.',
  })
  @IsArray({ message: 'must be a list of permissions' })
  @ArrayMinSize(1, { message: 'must have at least one permission' })
  @ArrayMaxSize(MAX_CHECKED, { message: `must have at most ${MAX_CHECKED} permissions` })
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
