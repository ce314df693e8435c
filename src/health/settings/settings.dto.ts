import { ApiProperty } from '@nestjs/swagger';
import { JSON_REFERENCE } from '../../http/index.js';
import type { SettingInForce, SettingSource } from '../../platform/config/index.js';

export class SettingDto {
  @ApiProperty({ type: String, example: 'auth.access_ttl_secs' })
  name!: string;

  @ApiProperty({
    type: String,
    example: 'SERVICE_AUTH__ACCESS_TTL_SECS',
    description: 'The environment variable that overrides it.',
  })
  variable!: string;

  @ApiProperty({
    allOf: [JSON_REFERENCE],
    description:
      'Any JSON value; null if it is not set. `••••••••` stands for a secret, and for the password and the parameters of an address.',
    example: 900,
  })
  value!: unknown;

  @ApiProperty({
    allOf: [JSON_REFERENCE],
    description: 'Any JSON value; null if there is none.',
    example: 3600,
  })
  default!: unknown;

  @ApiProperty({
    enum: ['file', 'env', 'default', 'generated'],
    description: '`generated`: a secret that the first start with the embedded database made.',
  })
  source!: SettingSource;

  @ApiProperty({ type: String })
  description!: string;

  @ApiProperty({ type: Boolean })
  secret!: boolean;
}

export function toSettingDto({ isSecret, ...setting }: SettingInForce): SettingDto {
  return { ...setting, secret: isSecret };
}
