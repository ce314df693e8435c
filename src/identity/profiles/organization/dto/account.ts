import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { JsonObject, Omittable } from '../../../../http/index.js';
import type { RawJson } from '../../../../http/index.js';
import type { AccountPatch } from '../../../accounts/account-updates.js';
import { PasswordChangeBody, passwordChangeOf } from '../../../accounts/password-change.dto.js';
import { PasswordGrant } from '../../../credentials.js';
import { LocaleField } from '../../../languages/index.js';
import { PasswordField } from '../../../passwords/password-field.js';
import { CodeChallengeField, RedirectToField } from '../../../redirects/redirect-fields.js';
import { metadataOf } from '../../../users/metadata.js';
import type { LogoutScope } from '../../../sessions/user-sessions.js';

export class SignUpBody extends PasswordGrant {
  @ApiPropertyOptional({
    type: Object,
    example: { name: 'Ada' },
    description: 'Any JSON object; kept with the user.',
  })
  @Omittable()
  @JsonObject()
  metadata?: RawJson;

  @RedirectToField()
  redirect_to?: string;

  @CodeChallengeField()
  code_challenge?: string;

  @LocaleField()
  locale?: string | null;
}

export class UpdateUserBody extends PasswordChangeBody {
  @ApiPropertyOptional({
    type: Object,
    example: { name: 'Ada', nickname: null },
    description: 'A JSON merge patch (RFC 7396): null removes a member. At most 16384 bytes are kept.',
  })
  @Omittable()
  @JsonObject()
  metadata?: RawJson;

  @LocaleField('Language of mails and pages, as a tag of BCP 47; null for none.')
  locale?: string | null;
}

export function toAccountPatch(body: UpdateUserBody): AccountPatch {
  const { metadata, locale } = body;
  return {
    ...(metadata === undefined ? {} : { metadata: metadataOf(metadata) }),
    ...(locale === undefined ? {} : { locale }),
    ...passwordChangeOf(body),
  };
}

export class DeleteUserBody {
  @PasswordField()
  password!: string;
}

const SCOPES: readonly LogoutScope[] = ['local', 'others', 'global'];

export class LogoutBody {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 512,
    description: 'Identifies the session in place of an access token.',
  })
  @Omittable()
  @IsString({ message: 'must be text' })
  @Length(1, 512, { message: 'must have 1 to 512 characters' })
  refresh_token?: string;

  @ApiPropertyOptional({ enum: SCOPES, default: 'local' })
  @Omittable()
  @IsIn(SCOPES, { message: 'must be local, others or global' })
  scope?: LogoutScope;
}
