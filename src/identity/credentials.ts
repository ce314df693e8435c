import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { EmailField } from './users/email-address.js';
import { CodeChallengeField, CodeVerifierField, RedirectToField } from './redirects/redirect-fields.js';
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

/** Body of a request for a mail to an address, for whoever made the request. */
export class MailRequestBody {
  @EmailField()
  email!: string;

  @RedirectToField()
  redirect_to?: string;

  @CodeChallengeField()
  code_challenge?: string;
}

/** Body of a request for a mail whose link somebody else follows. */
export class InvitationRequestBody {
  @EmailField()
  email!: string;

  @RedirectToField()
  redirect_to?: string;
}

/** Body of a request for a mail to the caller's own address. */
export class ResendBody {
  @RedirectToField()
  redirect_to?: string;

  @CodeChallengeField()
  code_challenge?: string;
}

/** Body of a sign-in by the token of a mail. */
export class TokenSignInBody extends OneTimeTokenBody {
  @CodeVerifierField()
  code_verifier?: string;
}

export class TokenAndPasswordBody extends TokenSignInBody {
  @PasswordField()
  password!: string;
}

/** Body of a sign-in by the code that the page of a mail added to a redirect URL. */
export class CodeGrant {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: 512,
    example: 'p2Kd0r…',
    description: 'From the URL that the page of a mail led to. Good for 60 s and one use.',
  })
  @IsString({ message: 'must be text' })
  @Length(1, 512, { message: 'must have 1 to 512 characters' })
  code!: string;

  @CodeVerifierField()
  code_verifier?: string;
}
