import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JsonField, PatternField, ServiceError, TextField } from '../../http/index.js';
import type { FieldOptions } from '../../http/index.js';
import { PasswordField } from '../passwords/password-field.js';
import { assertionOf } from '../passkeys/credential.js';
import type { PresentedFactor } from './factor-proofs.js';
import type { Factor, FactorType } from './factor.repository.js';
import type { TotpEnrolment } from './totp.js';

function CodeField(options: FieldOptions = {}): PropertyDecorator {
  return PatternField(/^[0-9]{6}$/, 'must have 6 digits', { example: '492039', ...options });
}

export class FactorNameBody {
  @TextField(1, 100, { example: 'Phone' })
  name!: string;
}

export class ConfirmFactorBody {
  @CodeField()
  code!: string;
}

class FactorProofBody {
  @CodeField({ optional: true, description: 'Of an authenticator application.' })
  code?: string;

  @TextField(1, 64, { optional: true, example: 'k3vq-…' })
  recovery_code?: string;

  @JsonField('storable', {
    optional: true,
    description:
      'Of a passkey: what `navigator.credentials.get` returned, as JSON (`AuthenticationResponseJSON` of WebAuthn).',
  })
  credential?: Record<string, unknown>;
}

/** Body of a sign-in that a second factor completes: `challenge_token`, and one of the others. */
export class SecondFactorGrant extends FactorProofBody {
  @TextField(1, 512, { description: 'From the refusal of the first proof.' })
  challenge_token!: string;
}

/** One of the four. */
export class ReauthenticateBody extends FactorProofBody {
  @PasswordField({ optional: true })
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
