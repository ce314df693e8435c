import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JsonField, TextField } from '../../http/index.js';
import { assertionOf, createdCredentialOf } from '../passkeys/credential.js';
import type { Assertion, CreatedCredential } from '../passkeys/credential.js';
import type { OfferedPasskeySignIn } from '../passkeys/passkey-sign-in-challenges.js';
import { FactorDto, FactorNameBody, toFactorDto } from './factor.dto.js';
import type { AddedPasskey } from './passkey-factors.js';

export class AddPasskeyBody extends FactorNameBody {
  @JsonField('storable', {
    description:
      'What `navigator.credentials.create` returned, as JSON: `RegistrationResponseJSON` of WebAuthn.',
  })
  credential!: Record<string, unknown>;
}

/** @throws validation_failed */
export function newPasskeyOf({ name, credential }: AddPasskeyBody): {
  readonly name: string;
  readonly credential: CreatedCredential;
} {
  return { name, credential: createdCredentialOf(credential) };
}

/** Body of a sign-in by a passkey alone. */
export class PasskeyGrant {
  @TextField(1, 512, { description: 'From `POST /auth/v1/passkeys/options`.' })
  challenge_token!: string;

  @JsonField('storable', {
    description:
      'What `navigator.credentials.get` returned, as JSON: `AuthenticationResponseJSON` of WebAuthn.',
  })
  credential!: Record<string, unknown>;
}

/** @throws validation_failed */
export function presentedPasskeyOf({ challenge_token: token, credential }: PasskeyGrant): {
  readonly token: string;
  readonly assertion: Assertion;
} {
  return { token, assertion: assertionOf(credential) };
}

/** A passkey that is in force. */
export class AddedPasskeyDto extends FactorDto {
  @ApiPropertyOptional({ type: [String], description: 'With the first factor; shown this once.' })
  recovery_codes?: string[];
}

export function toAddedPasskeyDto({ factor, recoveryCodes }: AddedPasskey): AddedPasskeyDto {
  return { ...toFactorDto(factor), ...(recoveryCodes === null ? {} : { recovery_codes: recoveryCodes }) };
}

class RelyingPartyDto {
  @ApiProperty({ example: 'example.com' })
  id!: string;

  @ApiProperty()
  name!: string;
}

class PasskeyUserDto {
  @ApiProperty({ description: 'The user handle, base64url: the id of the account, and nothing else of it.' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  displayName!: string;
}

class PasskeyAlgorithmDto {
  @ApiProperty({ type: 'integer', description: 'COSE: -7 is ES256, -8 EdDSA, -257 RS256.' })
  alg!: number;

  @ApiProperty({ enum: ['public-key'] })
  type!: 'public-key';
}

class PasskeyDescriptorDto {
  @ApiProperty({ description: 'The id of the credential, base64url.' })
  id!: string;

  @ApiProperty({ enum: ['public-key'] })
  type!: 'public-key';

  @ApiProperty({ type: [String] })
  transports!: string[];
}

class AuthenticatorSelectionDto {
  @ApiProperty({ enum: ['required'] })
  residentKey!: 'required';

  @ApiProperty({ enum: [true] })
  requireResidentKey!: true;

  @ApiProperty({ enum: ['required'] })
  userVerification!: 'required';
}

/** What browsers take as `publicKey`, in JSON. */
export class PasskeyCreationOptionsDto {
  @ApiProperty()
  rp!: RelyingPartyDto;

  @ApiProperty()
  user!: PasskeyUserDto;

  @ApiProperty({ description: 'Base64url; good for 5 minutes and one use.' })
  challenge!: string;

  @ApiProperty({ type: [PasskeyAlgorithmDto] })
  pubKeyCredParams!: PasskeyAlgorithmDto[];

  @ApiProperty({ type: 'integer', description: 'Milliseconds.' })
  timeout!: number;

  @ApiProperty({ type: [PasskeyDescriptorDto], description: 'The passkeys that the account has.' })
  excludeCredentials!: PasskeyDescriptorDto[];

  @ApiProperty()
  authenticatorSelection!: AuthenticatorSelectionDto;

  @ApiProperty({ enum: ['none'] })
  attestation!: 'none';
}

/** What browsers take as `publicKey`, in JSON. */
export class PasskeyRequestOptionsDto {
  @ApiProperty({ example: 'example.com' })
  rpId!: string;

  @ApiProperty({ description: 'Base64url; good for 5 minutes and one use.' })
  challenge!: string;

  @ApiProperty({ type: 'integer', description: 'Milliseconds.' })
  timeout!: number;

  @ApiProperty({ enum: ['required'] })
  userVerification!: 'required';

  @ApiProperty({
    type: [PasskeyDescriptorDto],
    description: 'The passkeys of the account; none where the passkey is to say whose it is.',
  })
  allowCredentials!: PasskeyDescriptorDto[];
}

export class PasskeySignInOptionsDto {
  @ApiProperty({ description: 'To be sent back with the credential, once and within 5 minutes.' })
  challenge_token!: string;

  @ApiProperty({ type: PasskeyRequestOptionsDto })
  passkey_options!: PasskeyRequestOptionsDto;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;
}

export function toPasskeySignInOptionsDto(offered: OfferedPasskeySignIn): PasskeySignInOptionsDto {
  const { token, options, expiresAt } = offered;
  return { challenge_token: token, passkey_options: options, expires_at: expiresAt.toISOString() };
}
