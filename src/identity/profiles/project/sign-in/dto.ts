import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, DtoField, ListField, TextField } from '../../../../http/index.js';
import { PASSKEY_ORIGIN, PASSKEY_ORIGIN_SHAPE } from '../../../../platform/config/index.js';
import { ConfirmFactorBody, FactorNameBody } from '../../../factors/factor.dto.js';
import { AddPasskeyBody } from '../../../factors/passkey.dto.js';
import type { RelyingParty } from '../../../passkeys/relying-party.js';
import type { EnrolledSession } from '../../../sign-in/enrolment/factor-enrolment.js';
import { ProjectSessionDto, toProjectSessionDto } from '../dto/session.js';
import type { SignInSettings, SignInSettingsChange } from './sign-in-settings.js';

const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const MAX_ORIGINS = 20;
const MAX_ORIGIN = 300;

function isOrigin(item: unknown): boolean {
  return typeof item === 'string' && item.length <= MAX_ORIGIN && PASSKEY_ORIGIN.test(item);
}

export class ProjectPasskeysDto {
  @TextField(1, 253, {
    pattern: DOMAIN,
    mismatch: 'must be a domain name in lower case, without scheme and port',
    example: 'acme.example.com',
    description: 'Domain that passkeys belong to. Another one makes all passkeys of the project useless.',
  })
  rp_id!: string;

  @TextField(1, 100, { example: 'Acme' })
  rp_name!: string;

  @ListField(
    {
      of: 'origins',
      min: 1,
      max: MAX_ORIGINS,
      example: ['https://app.acme.example.com'],
      description: 'Where passkeys are made and used; compared exactly.',
    },
    (item) => (isOrigin(item) ? null : `must be ${PASSKEY_ORIGIN_SHAPE}`),
  )
  origins!: string[];
}

export class SignInSettingsDto {
  @ApiProperty({ description: 'Whether whoever has no second factor must add one to sign in.' })
  require_second_factor!: boolean;

  @ApiProperty({ description: 'To whom passkeys belong: set by the project, or by its first host.' })
  passkeys!: ProjectPasskeysDto;
}

export class ChangeSignInSettingsBody {
  @BooleanField({ optional: true, description: 'Sessions that are open stay open.' })
  require_second_factor?: boolean;

  @DtoField(ProjectPasskeysDto, {
    optional: true,
    nullable: true,
    mismatch: 'must be an object or null',
    description: 'Null for those of the first host.',
  })
  passkeys?: ProjectPasskeysDto | null;
}

function relyingPartyOf({ rp_id: id, rp_name: name, origins }: ProjectPasskeysDto): RelyingParty {
  return { id, name, origins: [...new Set(origins)] };
}

export function settingsChangeOf(body: ChangeSignInSettingsBody): SignInSettingsChange {
  const { require_second_factor: requiresFactor, passkeys } = body;
  return { requiresFactor, relyingParty: passkeys ? relyingPartyOf(passkeys) : passkeys };
}

export function toSignInSettingsDto({ requiresFactor, relyingParty }: SignInSettings): SignInSettingsDto {
  const { id, name, origins } = relyingParty;
  return {
    require_second_factor: requiresFactor,
    passkeys: { rp_id: id, rp_name: name, origins: [...origins] },
  };
}

function EnrolmentTokenField(): PropertyDecorator {
  return TextField(1, 512, {
    description: 'The `enrolment.token` of the refusal of a sign-in.',
  });
}

export class EnrolmentTokenBody {
  @EnrolmentTokenField()
  enrolment_token!: string;
}

export class EnrolTotpBody extends FactorNameBody {
  @EnrolmentTokenField()
  enrolment_token!: string;
}

export class ConfirmEnrolmentBody extends ConfirmFactorBody {
  @EnrolmentTokenField()
  enrolment_token!: string;
}

export class EnrolPasskeyBody extends AddPasskeyBody {
  @EnrolmentTokenField()
  enrolment_token!: string;
}

export class EnrolledSessionDto extends ProjectSessionDto {
  @ApiProperty({ type: [String], description: 'Each good for one use; shown this once.' })
  recovery_codes!: string[];
}

export function toEnrolledSessionDto({ pair, recoveryCodes }: EnrolledSession): EnrolledSessionDto {
  return { ...toProjectSessionDto(pair), recovery_codes: [...recoveryCodes] };
}
