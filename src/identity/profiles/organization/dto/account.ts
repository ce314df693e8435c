import { EnumField, JsonField, TextField } from '../../../../http/index.js';
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
  @JsonField('storable', {
    optional: true,
    example: { name: 'Ada' },
    description: 'Any JSON object; kept with the user.',
  })
  metadata?: RawJson;

  @RedirectToField()
  redirect_to?: string;

  @CodeChallengeField()
  code_challenge?: string;

  @LocaleField()
  locale?: string | null;
}

export class UpdateUserBody extends PasswordChangeBody {
  @JsonField('storable', {
    optional: true,
    example: { name: 'Ada', nickname: null },
    description: 'A JSON merge patch (RFC 7396): null removes a member. At most 16384 bytes are kept.',
  })
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
  @TextField(1, 512, { optional: true, description: 'Identifies the session in place of an access token.' })
  refresh_token?: string;

  @EnumField(SCOPES, { optional: true, default: 'local' })
  scope?: LogoutScope;
}
