import { IntField } from '../../../../http/index.js';
import { HIGHEST_PRIORITY, LOWEST_PRIORITY } from '../../model/run.js';

/** The priority of a run or a job, where a caller may give one. */
export function PriorityField(description: string): PropertyDecorator {
  return IntField(LOWEST_PRIORITY, HIGHEST_PRIORITY, { optional: true, example: 10, description });
}
