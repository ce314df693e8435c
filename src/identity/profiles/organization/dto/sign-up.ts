import { ApiPropertyOptional } from '@nestjs/swagger';
import { JsonObject, Omittable } from '../../../../platform/http/index.js';
import { PasswordGrant } from '../../../credentials.js';

export class SignUpBody extends PasswordGrant {
  @ApiPropertyOptional({
    type: Object,
    example: { name: 'Ada' },
    description: 'Any JSON object; kept with the user.',
  })
  @Omittable()
  @JsonObject()
  metadata?: Record<string, unknown>;
}
