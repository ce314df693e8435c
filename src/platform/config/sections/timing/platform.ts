import { section } from '../../schema/setting.js';
import { milliseconds } from './durations.js';

export const redis = section('Redis. What it does not answer in time goes on without it.', {
  answer_limit_ms: milliseconds(1_000, 'How long Redis may take to answer whether it is usable.'),
  add_limit_ms: milliseconds(
    1_000,
    'How long adding a wake-up may take before the caller goes on without it.',
  ),
  count_limit_ms: milliseconds(
    300,
    'How long Redis may take to count. After that, the instance counts in memory.',
  ),
  count_skip_ms: milliseconds(1_000, 'How long to count in memory after Redis failed to count in time.'),
});

export const cache = section('What an instance remembers of the database.', {
  lifetime_ms: milliseconds(
    30_000,
    'The longest that a remembered row stays in use if the notification of its change is missed.',
  ),
  clock_ms: milliseconds(100, 'For how long a cache takes the time as known.'),
});

export const access = section('Access of streamed answers while they go on.', {
  round_ms: milliseconds(250, 'Time between two rounds of checks, however many changes there are.'),
  recheck_ms: milliseconds(5_000, 'After how long access is checked again where no change was announced.'),
  recheck_unannounced_ms: milliseconds(
    400,
    'The same for runs and operators, the end of whose access is not announced.',
  ),
  patience_ms: milliseconds(5_000, 'How long a check may take before the access counts as refused.'),
});

export const health = section('Health of the deployment.', {
  answer_limit_ms: milliseconds(2_000, 'How long to wait for an answer before a dependency counts as down.'),
});
