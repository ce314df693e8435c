import { ApiProperty } from '@nestjs/swagger';
import type { ChainState, ChainVerification } from '../chains/audit-verifications.js';

export class BrokenPlaceDto {
  @ApiProperty({ type: Number, description: 'The position in the chain, from 1.' })
  position!: number;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Null if the entry is missing.' })
  entry_id!: string | null;

  @ApiProperty({ type: String, example: 'altered_body' })
  problem!: string;
}

export class AuditVerificationDto {
  @ApiProperty({
    enum: ['intact', 'broken', 'too_long'],
    description:
      '`too_long`: the trail has more than 200,000 entries; an operator verifies it with `servicectl audit verify`.',
  })
  state!: ChainState;

  @ApiProperty({
    type: Number,
    description: 'The entries that were verified; with `too_long`, all there are.',
  })
  entries!: number;

  @ApiProperty({
    type: BrokenPlaceDto,
    nullable: true,
    description: 'The first place where the chain does not hold.',
  })
  broken!: BrokenPlaceDto | null;
}

export function toAuditVerificationDto({ state, entries, broken }: ChainVerification): AuditVerificationDto {
  if (broken === null) return { state, entries, broken: null };
  const { position, entryId, problem } = broken;
  return { state, entries, broken: { position, entry_id: entryId, problem } };
}
