import { ServiceError } from '../http/index.js';
import type { RateState } from './rate.js';

const SPANS: readonly (readonly [number, string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];

function spanOf(seconds: number): string {
  const [secs, unit] = SPANS.find(([length]) => seconds >= length && seconds % length === 0) ?? [1, 'second'];
  const count = seconds / secs;
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** The refusal when a rate limit is exceeded: which setting applies and when to try again. */
export function rateLimited({ policy, resetSecs }: Pick<RateState, 'policy' | 'resetSecs'>): ServiceError {
  const { setting, quota, windowSecs } = policy;
  return new ServiceError('rate_limited', {
    hint: `limits.${setting} allows ${quota} per ${spanOf(windowSecs)}; try again in ${resetSecs} s.`,
    headers: { 'Retry-After': String(resetSecs) },
  });
}
