import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, ValidateIf } from 'class-validator';
import { ServiceError, validated } from '../../../../platform/http/index.js';
import { PasswordGrant, RefreshTokenGrant } from '../../../credentials.js';

/** Which of the two things a body of `POST /auth/v1/token` asks for. */
export type TokenRequest =
  | { readonly kind: 'sign_in'; readonly email: string; readonly password: string }
  | { readonly kind: 'refresh'; readonly refreshToken: string };

const HINT = 'Send email and password to sign in, or refresh_token alone to refresh.';

/** A body of the one kind says nothing of the other, but what it says all the same is no unknown field. */
class SignInBody extends PasswordGrant {
  @ApiProperty({ type: String, minLength: 1, maxLength: 512, required: false })
  @ValidateIf((_body, value) => value !== undefined)
  @IsString({ message: 'must be text' })
  @Length(1, 512, { message: 'must have 1 to 512 characters' })
  refresh_token?: string;
}

/**
 * By its shape: with both `email` and `password` a sign-in, with `refresh_token` only a refresh.
 * @throws validation_failed for any other
 */
export async function tokenRequestOf(body: unknown): Promise<TokenRequest> {
  const fields: object = typeof body === 'object' && body !== null ? body : {};
  if ('email' in fields && 'password' in fields) {
    const { email, password } = await validated(SignInBody, body);
    return { kind: 'sign_in', email, password };
  }
  if ('refresh_token' in fields && !('email' in fields) && !('password' in fields)) {
    const { refresh_token: refreshToken } = await validated(RefreshTokenGrant, body);
    return { kind: 'refresh', refreshToken };
  }
  throw new ServiceError('validation_failed', {
    message: 'The body is neither a sign-in nor a refresh.',
    hint: HINT,
    details: [{ path: '', message: 'must have email and password, or refresh_token alone' }],
  });
}
