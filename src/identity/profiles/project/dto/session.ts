import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ServiceError, TextField, validated } from '../../../../http/index.js';
import { PasswordChangeBody } from '../../../accounts/password-change.dto.js';
import { CodeGrant, PasswordGrant, RefreshTokenGrant } from '../../../credentials.js';
import { SecondFactorGrant } from '../../../factors/factor.dto.js';
import { PasskeyGrant } from '../../../factors/passkey.dto.js';
import { LocaleField } from '../../../languages/index.js';
import { isPasskeySignInToken } from '../../../passkeys/passkey-sign-in-tokens.js';
import type { TokenPair } from '../../../sessions/sessions.js';
import type { UserEntity } from '../../../users/user.repository.js';

export class ProjectSignUpBody extends PasswordGrant {
  @LocaleField()
  locale?: string | null;
}

export class UpdateProjectUserBody extends PasswordChangeBody {
  @LocaleField('Language of mails and pages, as a tag of BCP 47; null for none.')
  locale?: string | null;
}

/** The requests that a body of `POST /auth/v1/token` can make. */
export type TokenRequest =
  | { readonly kind: 'sign_in'; readonly email: string; readonly password: string }
  | { readonly kind: 'second_factor'; readonly grant: SecondFactorGrant }
  | { readonly kind: 'passkey'; readonly grant: PasskeyGrant }
  | { readonly kind: 'code'; readonly grant: CodeGrant }
  | { readonly kind: 'refresh'; readonly refreshToken: string };

const HINT =
  'Send email and password to sign in, challenge_token to complete a sign-in or with a passkey, code after the page of a mail, or refresh_token alone to refresh.';

/** A sign-in ignores a refresh token, but does not refuse it as an unknown field. */
class SignInBody extends PasswordGrant {
  @TextField(1, 512, { optional: true })
  refresh_token?: string;
}

/**
 * By its shape: with both `email` and `password` a sign-in, with `challenge_token` the second step of one, or one by a
 * passkey where the token is of `passkeys/options`, with `code` one after the page of a mail, with `refresh_token` only
 * a refresh.
 * @throws validation_failed for any other
 */
export async function tokenRequestOf(body: unknown): Promise<TokenRequest> {
  const fields: object = typeof body === 'object' && body !== null ? body : {};
  if ('email' in fields && 'password' in fields) {
    const { email, password } = await validated(SignInBody, body);
    return { kind: 'sign_in', email, password };
  }
  if ('challenge_token' in fields && isPasskeySignInToken(fields.challenge_token))
    return { kind: 'passkey', grant: await validated(PasskeyGrant, body) };
  if ('challenge_token' in fields)
    return { kind: 'second_factor', grant: await validated(SecondFactorGrant, body) };
  if ('code' in fields) return { kind: 'code', grant: await validated(CodeGrant, body) };
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

export class ProjectLogoutBody {
  @TextField(1, 512, { optional: true, description: 'Identifies the session in place of an access token.' })
  refresh_token?: string;
}

/** The only response of requests that must not reveal whether an address is known. */
export class OkDto {
  @ApiProperty({ enum: [true] })
  ok!: true;
}

export const OK: OkDto = { ok: true };

/** A user as the profile shows them. */
export class ProjectUserDto {
  @ApiProperty({ format: 'uuid', example: '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11' })
  id!: string;

  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  email!: string;

  @ApiPropertyOptional({ type: String, example: 'pt-BR', description: 'Absent where the user chose none.' })
  locale?: string;
}

/** The response to a refresh. */
export class TokenPairDto {
  @ApiProperty({ description: 'JWT, EdDSA; send it as `Authorization: Bearer …`.' })
  access_token!: string;

  @ApiProperty({ description: 'Opaque and good for one use.' })
  refresh_token!: string;
}

/** The response of `POST /auth/v1/token`: two tokens, and after a sign-in the user too. */
export class ProjectTokenDto extends TokenPairDto {
  @ApiPropertyOptional({ type: ProjectUserDto, description: 'Of a sign-in; a refresh answers without it.' })
  user?: ProjectUserDto;
}

export class ProjectSessionDto extends TokenPairDto {
  @ApiProperty()
  user!: ProjectUserDto;
}

export function toProjectUserDto({
  id,
  email,
  locale,
}: Pick<UserEntity, 'id' | 'email' | 'locale'>): ProjectUserDto {
  return { id, email, ...(locale === null ? {} : { locale }) };
}

export function toTokenPairDto(pair: TokenPair): TokenPairDto {
  return { access_token: pair.accessToken.token, refresh_token: pair.refreshToken };
}

export function toProjectSessionDto(pair: TokenPair): ProjectSessionDto {
  return { ...toTokenPairDto(pair), user: toProjectUserDto(pair.user) };
}
