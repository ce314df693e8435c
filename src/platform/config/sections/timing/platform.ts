import { section } from '../../schema/setting.js';
import { milliseconds } from './durations.js';

export const server = section(
  'The listener and the end of the program; server.drain_secs is the time for running work.',
  {
    request_limit_ms: milliseconds(60_000, 'How long a request may take from its first byte to its last.'),
    linger_ms: milliseconds(
      5_000,
      'How long a client may go on sending after the last response of its connection.',
    ),
    close_limit_ms: milliseconds(
      5_000,
      'Least that requests and connections get to end once background work has.',
    ),
    idle_poll_ms: milliseconds(100, 'Time between two looks for idle connections to close meanwhile.'),
    start_stop_ms: milliseconds(
      3_000,
      'How long a step of the start may take to its end once the program is to stop.',
    ),
  },
);

export const health = section('Health of the deployment and its instances.', {
  answer_limit_ms: milliseconds(2_000, 'How long to wait for an answer before a dependency counts as down.'),
  probe_ms: milliseconds(
    1_000,
    'How long the answer of a probe of the database holds for others who ask: a probe writes.',
  ),
  refused_lately_ms: milliseconds(
    10_000,
    'How long a refusal of the database counts although a probe succeeds, as it may on a full disk.',
  ),
  heartbeat_ms: milliseconds(10_000, 'Time between two signs of life of an instance.'),
  dead_after_ms: milliseconds(30_000, 'Time without one after which the doctor takes an instance for dead.'),
  forget_ms: milliseconds(3_600_000, 'Time without one after which an instance leaves the list.'),
});

export const database = section('PostgreSQL on several hosts.', {
  primary_check_ms: milliseconds(2_000, 'Time between two looks which host accepts writes.'),
});

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
  silence_limit_ms: milliseconds(
    5_000,
    'How long Redis may leave a write unanswered before the program goes on without it.',
  ),
  look_again_ms: milliseconds(1_000, 'Time between two looks at a Redis that refuses to work.'),
  count_skip_ms: milliseconds(1_000, 'How long to count in memory after Redis failed to count in time.'),
  stalled_after_ms: milliseconds(
    10_000,
    'Time without a sign of life from a wake-up after which it is handed out again.',
  ),
  stalled_check_ms: milliseconds(5_000, 'Time between two looks for such wake-ups.'),
  delayed_check_ms: milliseconds(5_000, 'Time between two looks for wake-ups whose time has come.'),
  slot_pause_ms: milliseconds(500, 'How long a slot pauses after an error of Redis.'),
});

export const cache = section('What an instance remembers of the database.', {
  lifetime_ms: milliseconds(
    30_000,
    'The longest that a remembered row stays in use if the notification of its change is missed.',
  ),
  clock_ms: milliseconds(100, 'For how long a cache takes the time as known.'),
  probe_ms: milliseconds(30_000, 'Time between two checks of the connection that receives notifications.'),
  probe_limit_ms: milliseconds(2_000, 'How long such a check may take before the connection counts as lost.'),
  reconnect_ms: milliseconds(500, 'Pause between two tries to connect again.'),
  connect_limit_ms: milliseconds(5_000, 'How long such a try may take.'),
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

export const telemetry = section('The export of spans.', {
  interval_ms: milliseconds(2_000, 'How long spans wait for each other, so that a request carries many.'),
  request_limit_ms: milliseconds(10_000, 'How long the collector may take for a request.'),
  first_backoff_ms: milliseconds(1_000, 'Pause after the first failed request; it doubles each time.'),
  longest_backoff_ms: milliseconds(30_000, 'The same at most.'),
  flush_limit_ms: milliseconds(5_000, 'How long the collector may take for the last spans at the end.'),
  flush_least_ms: milliseconds(1_000, 'The same at least, however much of the time to drain is used up.'),
});
