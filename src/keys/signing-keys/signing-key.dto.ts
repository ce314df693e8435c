import { ApiProperty } from '@nestjs/swagger';
import { BooleanField } from '../../http/index.js';
import type { Rotated, SigningKeyEntity, SigningKeyState } from '../../identity/index.js';

export class RotateBody {
  @BooleanField({
    optional: true,
    default: false,
    description:
      'For a leaked key: retires every key that has signed, so that every access token in use is refused.',
  })
  immediate?: boolean;
}

export class ActiveKeyDto {
  @ApiProperty({ type: String })
  kid!: string;
}

export class NextKeyDto {
  @ApiProperty({ type: String })
  kid!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it starts to sign.' })
  signs_at!: string;
}

export class RotatedDto {
  @ApiProperty({ type: ActiveKeyDto })
  active!: ActiveKeyDto;

  @ApiProperty({ type: NextKeyDto, nullable: true, description: 'Null after an immediate rotation.' })
  next!: NextKeyDto | null;
}

export class SigningKeyDto {
  @ApiProperty({ type: String })
  kid!: string;

  @ApiProperty({ type: String, example: 'RS256' })
  algorithm!: string;

  @ApiProperty({ enum: ['next', 'active', 'retiring', 'retired'] })
  state!: SigningKeyState;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'From when on it may sign.' })
  signs_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  active_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  retiring_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Until when it verifies.' })
  retires_at!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  retired_at!: string | null;
}

export function toRotatedDto({ active, next }: Rotated): RotatedDto {
  return {
    active: { kid: active.kid },
    next: next === null ? null : { kid: next.kid, signs_at: next.signsAt.toISOString() },
  };
}

/** The row without its private part. */
export function toSigningKeyDto(key: SigningKeyEntity): SigningKeyDto {
  return {
    kid: key.kid,
    algorithm: key.algorithm,
    state: key.state,
    created_at: key.createdAt.toISOString(),
    signs_at: key.signsAt.toISOString(),
    active_at: key.activeAt?.toISOString() ?? null,
    retiring_at: key.retiringAt?.toISOString() ?? null,
    retires_at: key.retiresAt?.toISOString() ?? null,
    retired_at: key.retiredAt?.toISOString() ?? null,
  };
}
