import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BooleanField, PageQuery, RawJson, TextField } from '../../../http/index.js';
import { AddressSearchField } from './address-search-field.js';
import type { UserEntity } from '../../users/user.repository.js';

export class OperatorUserQuery extends PageQuery {
  @AddressSearchField('An address, or how it begins.')
  email?: string;

  @TextField(1, 254, {
    optional: true,
    description:
      'How words of the address and of the first 200 characters of `metadata.name` begin: `lovel exam` finds `ada.lovelace@example.com`. Single Latin letters and digits are ignored; alone, they find nothing.',
    example: 'lovel',
  })
  search?: string;
}

export class ChangeUserBody {
  @BooleanField({ description: 'True ends every session of the user and refuses sign-in and access tokens.' })
  disabled!: boolean;
}

export class OperatorUserDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, format: 'email' })
  email!: string;

  @ApiProperty({ type: Boolean })
  email_verified!: boolean;

  @ApiProperty({ type: Object })
  metadata!: RawJson;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: Boolean })
  disabled!: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  disabled_at!: string | null;

  @ApiPropertyOptional({ type: String, example: 'pt-BR', description: 'Absent where the user chose none.' })
  locale?: string;

  @ApiProperty({ type: Boolean, description: 'False where the user signs in only after a recovery.' })
  has_password!: boolean;
}

export function toOperatorUserDto(user: UserEntity): OperatorUserDto {
  return {
    id: user.id,
    email: user.email,
    email_verified: user.emailVerified,
    metadata: new RawJson(user.metadata),
    created_at: user.createdAt.toISOString(),
    disabled: user.disabledAt !== null,
    disabled_at: user.disabledAt?.toISOString() ?? null,
    ...(user.locale === null ? {} : { locale: user.locale }),
    has_password: user.passwordHash !== null,
  };
}
