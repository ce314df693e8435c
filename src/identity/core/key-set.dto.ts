import { ApiProperty } from '@nestjs/swagger';
import type { JsonWebKey } from 'node:crypto';

/** Clients cache a key set this long; a key is published well before it signs. */
export const KEY_SET_MAX_AGE_SECS = 300;

export class KeySetDto {
  @ApiProperty({ type: [Object], description: 'Public keys (RFC 7517).' })
  keys!: JsonWebKey[];
}
