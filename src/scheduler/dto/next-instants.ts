import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Instant, Omittable, QueryCount } from '../../http/index.js';

const YEARS = /^(?:19[7-9]|2\d\d)\d-/;

export class NextInstantsQuery {
  @QueryCount({ maximum: 100, absent: 5 })
  count = 5;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'The instants after this one; now when absent.',
  })
  @Omittable()
  @Instant()
  @Matches(YEARS, { message: 'must be from 1970 to 2999' })
  from?: string;
}

export class NextInstantsDto {
  @ApiProperty({ type: 'integer', example: 0, description: "Index within the job's triggers." })
  trigger!: number;

  @ApiProperty({ example: '0 6 * * 1-5' })
  schedule!: string;

  @ApiProperty({ example: 'Europe/Berlin' })
  timezone!: string;

  @ApiProperty({ type: [String], format: 'date-time', example: ['2026-01-05T05:00:00.000Z'] })
  next!: string[];
}
