import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { RawJson } from '../../../../http/index.js';
import type { UserEntity } from '../../../users/user.repository.js';

export class UserDto {
  @ApiProperty({ format: 'uuid', example: '019aa3c0-7d7b-7c11-9a52-0c7c2f2f3c11' })
  id!: string;

  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  email!: string;

  @ApiProperty({ example: false })
  email_verified!: boolean;

  @ApiProperty({ type: Object, example: { name: 'Ada' } })
  metadata!: RawJson;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  created_at!: string;

  @ApiPropertyOptional({ type: String, example: 'pt-BR', description: 'Absent where the user chose none.' })
  locale?: string;
}

export class VerifiedDto {
  @ApiProperty()
  user!: UserDto;
}

export class UserOrganizationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'acme' })
  slug!: string;

  @ApiProperty({ example: 'Acme Inc.' })
  name!: string;

  @ApiProperty({ example: 'owner', description: "The caller's role there." })
  role!: string;
}

export class CurrentUserDto extends UserDto {
  @ApiProperty({ type: [UserOrganizationDto] })
  orgs!: UserOrganizationDto[];
}

export function toUserDto(user: UserEntity): UserDto {
  return {
    id: user.id,
    email: user.email,
    email_verified: user.emailVerified,
    metadata: new RawJson(user.metadata),
    created_at: user.createdAt.toISOString(),
    ...(user.locale === null ? {} : { locale: user.locale }),
  };
}
