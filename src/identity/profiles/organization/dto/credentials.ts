import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { JsonObject, Omittable } from '../../../../platform/http/index.js';
import { EmailField, PasswordField } from '../../../core/index.js';

/** Body of `grant_type=password`. */
export class PasswordGrant {
  @EmailField()
  email!: string;

  @PasswordField()
  password!: string;
}

/** Body of `grant_type=refresh_token`. */
export class RefreshTokenGrant {
  @ApiProperty({ type: String, example: 'Zb1eO3…' })
  @IsString({ message: 'must be text' })
  @Length(1, 512, { message: 'must have 1 to 512 characters' })
  refresh_token!: string;
}

/** A field that takes the token of a mail. */
function OneTimeTokenField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String, example: 'q3Vt0x…', description: 'From the link in the mail.' }),
    IsString({ message: 'must be text' }),
    Length(1, 512, { message: 'must have 1 to 512 characters' }),
  );
}

/** Body of what a mail's token does alone. */
export class OneTimeTokenBody {
  @OneTimeTokenField()
  token!: string;
}

export class RecoverBody {
  @EmailField()
  email!: string;
}

export class CompleteRecoveryBody extends OneTimeTokenBody {
  @PasswordField()
  password!: string;
}

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
