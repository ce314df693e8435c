import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { EmailField } from './users/email-address.js';
import { PasswordField } from './passwords/password-field.js';

/** Body of a sign-in by password. */
export class PasswordGrant {
  @EmailField()
  email!: string;

  @PasswordField()
  password!: string;
}

/** Body of a refresh. */
export class RefreshTokenGrant {
  @ApiProperty({ type: String, minLength: 1, maxLength: 512, example: 'Zb1eO3…' })
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

/** Body of a request that needs only the token of a mail. */
export class OneTimeTokenBody {
  @OneTimeTokenField()
  token!: string;
}

/** Body of a request that anyone may make for an address. */
export class EmailBody {
  @EmailField()
  email!: string;
}

export class TokenAndPasswordBody extends OneTimeTokenBody {
  @PasswordField()
  password!: string;
}
