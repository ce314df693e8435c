import { ApiProperty } from '@nestjs/swagger';

export class HookAcceptedDto {
  @ApiProperty({ example: 'run_01JB5M3V7Q8W9X0Y1Z2A3B4C5D' })
  run_id!: string;
}
