import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { TokenPair } from '../../../sessions/sessions.js';
import type { UserEntity } from '../../../users/user.entity.js';

/** A user as the profile shows them: these two fields and no more. */
export class ProjectUserDto {
  @ApiProperty({ format: 'uuid', example: '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11' })
  id!: string;

  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  email!: string;
}

/** What a refresh gives. */
export class TokenPairDto {
  @ApiProperty({ description: 'JWT, EdDSA; send it as `Authorization: Bearer …`.' })
  access_token!: string;

  @ApiProperty({ description: 'Opaque and good for one use.' })
  refresh_token!: string;
}

/** What `POST /auth/v1/token` gives: of a refresh the two tokens, of a sign-in the user too. */
export class ProjectTokenDto extends TokenPairDto {
  @ApiPropertyOptional({ type: ProjectUserDto, description: 'Of a sign-in; a refresh answers without it.' })
  user?: ProjectUserDto;
}

export class ProjectSessionDto extends TokenPairDto {
  @ApiProperty()
  user!: ProjectUserDto;
}

export function toProjectUserDto({ id, email }: Pick<UserEntity, 'id' | 'email'>): ProjectUserDto {
  return { id, email };
}

export function toTokenPairDto(pair: TokenPair): TokenPairDto {
  return { access_token: pair.accessToken.token, refresh_token: pair.refreshToken };
}

export function toProjectSessionDto(pair: TokenPair): ProjectSessionDto {
  return { ...toTokenPairDto(pair), user: toProjectUserDto(pair.user) };
}
