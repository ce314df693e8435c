import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { Omittable } from '../../../../http/index.js';
import { HIGHEST_PRIORITY, LOWEST_PRIORITY } from '../../model/run.js';

/** The priority of a run or a job, where a caller may give one. */
export function PriorityField(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: LOWEST_PRIORITY,
      maximum: HIGHEST_PRIORITY,
      example: 10,
      description,
    }),
    Omittable(),
    IsInt({ message: 'must be a whole number' }),
    Min(LOWEST_PRIORITY, { message: `must be ${LOWEST_PRIORITY} or more` }),
    Max(HIGHEST_PRIORITY, { message: `must be at most ${HIGHEST_PRIORITY}` }),
  );
}
