import { ApiProperty } from '@nestjs/swagger';
import type { TokenPair } from '../../../sessions/sessions.js';
import { toUserDto, UserDto } from './user.js';

export class SessionDto {
  @ApiProperty({ description: 'JWT, RS256; send it as `Authorization: Bearer …`.' })
  access_token!: string;

  @ApiProperty({ description: 'Opaque and good for one use.' })
  refresh_token!: string;

  @ApiProperty({ format: 'date-time', description: 'When the access token expires.' })
  expires_at!: string;
}

export class SignedUpDto {
  @ApiProperty()
  user!: UserDto;

  @ApiProperty()
  session!: SessionDto;
}

export class TokenDto extends SessionDto {
  @ApiProperty({ example: 'bearer' })
  token_type!: 'bearer';

  @ApiProperty({ type: 'integer', example: 3600, description: 'Life of the access token, seconds.' })
  expires_in!: number;

  @ApiProperty()
  user!: UserDto;
}

export function toSessionDto(pair: TokenPair): SessionDto {
  return {
    access_token: pair.accessToken.token,
    refresh_token: pair.refreshToken,
    expires_at: pair.accessToken.expiresAt.toISOString(),
  };
}

export function toSignedUpDto(pair: TokenPair): SignedUpDto {
  return { user: toUserDto(pair.user), session: toSessionDto(pair) };
}

export function toTokenDto(pair: TokenPair): TokenDto {
  return {
    ...toSessionDto(pair),
    token_type: 'bearer',
    expires_in: pair.accessToken.expiresInSecs,
    user: toUserDto(pair.user),
  };
}
