import { IsString, Length } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { Omittable } from '../../http/index.js';
import { PasswordField } from '../passwords/password-field.js';

/** What the button of a page sends. */
export class TokenForm {
  @ApiProperty({ type: String, minLength: 1, maxLength: 512 })
  @IsString({ message: 'must be text' })
  @Length(1, 512, { message: 'must have 1 to 512 characters' })
  token!: string;
}

/** What a page that asks for a password sends. */
export class TokenAndPasswordForm extends TokenForm {
  @PasswordField()
  password!: string;

  /** A new password, entered again. */
  @Omittable()
  @PasswordField({ required: false })
  repeat?: string;
}
