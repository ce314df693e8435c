import { ApiProperty } from '@nestjs/swagger';

const STATES = ['ok', 'degraded', 'down'] as const;

export class CapabilitiesDto {
  @ApiProperty({ enum: STATES })
  auth!: (typeof STATES)[number];

  @ApiProperty({
    enum: STATES,
    description: '`ok` when a scheduler ticks, Redis answers and a worker lives, wherever they run.',
  })
  jobs!: (typeof STATES)[number];
}

export class HealthDto {
  @ApiProperty({ enum: STATES })
  status!: (typeof STATES)[number];

  @ApiProperty()
  capabilities!: CapabilitiesDto;

  @ApiProperty({ type: Object, example: { postgres: 'ok', redis: 'ok', scheduler: 'ok', worker: 'ok' } })
  checks!: Record<string, 'ok' | 'down'>;
}

export class ProbeDto {
  @ApiProperty({ enum: ['ok', 'down'] })
  status!: 'ok' | 'down';
}
