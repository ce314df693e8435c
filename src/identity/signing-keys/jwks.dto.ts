import { ApiProperty } from '@nestjs/swagger';
import type { JsonWebKey } from 'node:crypto';

/** Clients cache a JWKS this long; a key is published well before it signs. */
export const JWKS_MAX_AGE_SECS = 300;

export class JwksDto {
  @ApiProperty({ type: [Object], description: 'Public keys (RFC 7517).' })
  keys!: JsonWebKey[];
}
