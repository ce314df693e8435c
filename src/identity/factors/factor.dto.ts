import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';
import { JsonObject, Omittable, ServiceError } from '../../http/index.js';
import { PasswordField } from '../passwords/password-field.js';
import { assertionOf } from '../passkeys/credential.js';
import type { PresentedFactor } from './factor-proofs.js';
import type { Factor, FactorType } from './factor.repository.js';
import type { TotpEnrolment } from './totp.js';

const CODE = { type: String, pattern: '^[0-9]{6}$', example: '492039' } as const;

function CodeRule(): PropertyDecorator {
  return applyDecorators(
    IsString({ message: 'must be text' }),
    Matches(/^[0-9]{6}$/, { message: 'must have 6 digits' }),
  );
}

export class FactorNameBody {
  @ApiProperty({ type: String, minLength: 1, maxLength: 100, example: 'Phone' })
  @IsString({ message: 'must be text' })
  @Length(1, 100, { message: 'must have 1 to 100 characters' })
  name!: string;
}

export class ConfirmFactorBody {
  @ApiProperty(CODE)
  @CodeRule()
  code!: string;
}

class FactorProofBody {
  @ApiPropertyOptional({ ...CODE, description: 'Of an authenticator application.' })
  @Omittable()
  @CodeRule()
  code?: string;

  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: 64, example: 'k3vq-…' })
  @Omittable()
  @IsString({ message: 'must be text' })
  @Length(1, 64, { message: 'must have 1 to 64 characters' })
  recovery_code?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'Of a passkey: what `navigator.credentials.get` returned, as JSON (`AuthenticationResponseJSON` of WebAuthn).',
  })
  @Omittable()
  @JsonObject()
  credential?: Record<string, unknown>;
}

/** Body of a sign-in that a second factor completes: `challenge_token`, and one of the others. */
export class SecondFactorGrant extends FactorProofBody {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: 512,
    description: 'From the refusal of the first proof.',
  })
  @IsString({ message: 'must be text' })
  @Length(1, 512, { message: 'must have 1 to 512 characters' })
  challenge_token!: string;
}

/** One of the four. */
export class ReauthenticateBody extends FactorProofBody {
  @Omittable()
  @PasswordField({ required: false })
  password?: string;
}

/** @throws validation_failed unless there is exactly one proof */
export function factorProofOf(body: FactorProofBody): PresentedFactor {
  const { code, recovery_code: recoveryCode, credential } = body;
  const given = [code, recoveryCode, credential].filter((proof) => proof !== undefined);
  if (given.length === 1) {
    if (code !== undefined) return { code };
    if (recoveryCode !== undefined) return { recoveryCode };
    if (credential !== undefined) return { assertion: assertionOf(credential) };
  }
  throw new ServiceError('validation_failed', {
    details: [{ path: '', message: 'must have one proof: code, recovery_code or credential' }],
  });
}

export class FactorDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ['totp', 'passkey'] })
  type!: FactorType;

  @ApiProperty()
  name!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_used_at!: string | null;
}

/** A factor that is not in force until it is confirmed. */
export class TotpEnrolmentDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'Base32, for typing in; shown this once.' })
  secret!: string;

  @ApiProperty({ description: '`otpauth://totp/…`' })
  uri!: string;

  @ApiProperty({ description: 'The URI as a QR code: an SVG element.' })
  qr_svg!: string;
}

export class ConfirmedFactorDto {
  @ApiPropertyOptional({ type: [String], description: 'With the first factor; shown this once.' })
  recovery_codes?: string[];
}

export class RecoveryCodesDto {
  @ApiProperty({ type: [String], description: 'Each good for one use; shown this once.' })
  recovery_codes!: string[];
}

export function toFactorDto({ id, type, name, createdAt, lastUsedAt }: Factor): FactorDto {
  return {
    id,
    type,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

export function toTotpEnrolmentDto({
  id,
  secret,
  uri,
  qrSvg,
}: TotpEnrolment & { id: string }): TotpEnrolmentDto {
  return { id, secret, uri, qr_svg: qrSvg };
}
