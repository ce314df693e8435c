import { TextField } from '../http/index.js';
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
  @TextField(1, 512, { example: 'Zb1eO3…' })
  refresh_token!: string;
}

/** A field that takes the token of a mail. */
function OneTimeTokenField(): PropertyDecorator {
  return TextField(1, 512, { example: 'q3Vt0x…', description: 'From the link in the mail.' });
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

/** What sets a password and signs in. */
export function byTokenOf({ token, password, code_verifier: codeVerifier }: TokenAndPasswordBody): {
  readonly token: string;
  readonly password: string;
  readonly codeVerifier: string | null;
} {
  return { token, password, codeVerifier: codeVerifier ?? null };
}

/** Body of a sign-in by the code that the page of a mail added to a redirect URL. */
export class CodeGrant {
  @TextField(1, 512, {
    example: 'p2Kd0r…',
    description: 'From the URL that the page of a mail led to. Good for 60 s and one use.',
  })
  code!: string;

  @CodeVerifierField()
  code_verifier?: string;
}
