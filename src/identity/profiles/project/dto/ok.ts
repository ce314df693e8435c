import { ApiProperty } from '@nestjs/swagger';

/** The one answer of what must not tell whether an address is known. */
export class OkDto {
  @ApiProperty({ enum: [true] })
  ok!: true;
}

export const OK: OkDto = { ok: true };
