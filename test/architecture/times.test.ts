import { sourceFiles } from './source-tree.js';

/** A constant of time, by the unit that its name ends in. */
const CONSTANT = /^\s*(?:export )?const ([A-Z][A-Z0-9_]*_(?:MS|SECS|SECONDS|MINUTES|HOURS|DAYS))\b.*$/gm;
const UNIT = /^(?:SECOND|MINUTE|HOUR|DAY)_(?:MS|SECS)$/;

/** What runs without a configuration, or in the process of a function (docs/decisions/0110). */
const WITHOUT_CONFIGURATION = [
  'src/cli/',
  'src/platform/embedded/',
  'src/platform/startup/',
  'src/platform/database/migrator.ts',
  'src/jobs/invoker/function-host/',
];

/** Neither intervals nor deadlines nor lives of the program; at the end, those that no configuration reaches. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'of the range of a setting': ['src/identity/users/account-states.ts: LONGEST_TOKEN_SECS'],
  'what WebAuthn or Standard Webhooks recommends': [
    'src/identity/passkeys/webauthn.ts: CHALLENGE_SECS',
    'src/jobs/hooks/webhook-verification.ts: DEFAULT_TOLERANCE_SECS',
  ],
  'Cache-Control and Retry-After': [
    'src/identity/signing-keys/discovery.ts: JWKS_MAX_AGE_SECS',
    'src/identity/signing-keys/discovery.ts: DISCOVERY_MAX_AGE_SECS',
    'src/identity/passwords/hash-queue.ts: RETRY_AFTER_SECS',
    'src/limits/concurrency-limit.ts: RETRY_AFTER_SECS',
  ],
  'margins for clocks that differ': [
    'src/identity/mail-outbox/mail-delivery.ts: WAKE_UP_MARGIN_MS',
    'src/identity/mail-outbox/mail-list.ts: CLOCK_SLACK_MS',
    'src/audit/reading/audit-search.ts: CLOCK_SLACK_MS',
    'src/jobs/runs/model/run-id.ts: ID_SLACK_MS',
    'src/jobs/runs/queue/run-dispatcher.ts: CLOCK_MARGIN_MS',
    'src/scheduler/scheduler-tick.ts: CLOCK_MARGIN_MS',
  ],
  'bounds of requests': [
    'src/jobs/definitions/dto/manifest.ts: MAX_TIMEOUT_MS',
    'src/jobs/definitions/dto/manifest.ts: MAX_START_WITHIN_MS',
    'src/jobs/definitions/dto/manifest.ts: MAX_RATE_MS',
    'src/jobs/definitions/dto/manifest.ts: MAX_DEBOUNCE_MS',
    'src/jobs/definitions/dto/manifest.ts: MAX_DEBOUNCED_MS',
    'src/jobs/runs/model/run.ts: MAX_RETENTION_DAYS',
    'src/jobs/runs/http/dto/trigger-body.ts: MAX_DELAY_MS',
    'src/jobs/runs/enqueue/run-enqueuer.ts: LONG_WAIT_MS',
    'src/jobs/runs/http/dto/run-query.ts: MAX_DURATION_MS',
    'src/jobs/runs/reports/dto/attempt-report.ts: MAX_RETRY_AFTER_MS',
    'src/jobs/triggers/dto/trigger.ts: MAX_AFTER_MS',
    'src/scheduler/calendar/calendar.controller.ts: DEFAULT_DAYS',
    'src/scheduler/calendar/calendar.controller.ts: MAX_DAYS',
  ],
  'the order of runs, statistics and schedules, of which it is a part': [
    'src/jobs/runs/search/run-filters.ts: DURATION_MS',
    'src/audit/sign-ins/sign-in-stats.repository.ts: ROW_MINUTES',
    'src/scheduler/settlement.ts: MISSED_AFTER_MS',
    'src/scheduler/cron/zone-offset.ts: MAX_OFFSET_MS',
    'src/scheduler/cron/zone-offset.ts: PROBE_MS',
  ],
  'shares of the event loop and of a log': [
    'src/platform/lifecycle/clock.ts: SLICE_MS',
    'src/platform/queue/redis-connection.ts: LOG_INTERVAL_MS',
    'src/scheduler/postponed-schedules.ts: LOG_INTERVAL_MS',
  ],
  'what the command line and the start use as well, or all users of a connection share': [
    'src/platform/database/data-source-options.ts: CONNECT_LIMIT_MS',
    'src/platform/database/grouped-statement.ts: MAX_WAIT_MS',
    'src/platform/database/primary/following-client.ts: SETTINGS_LIMIT_MS',
    'src/platform/database/primary/primary-server.ts: ANSWER_LIMIT_MS',
    'src/platform/database/primary/primary-server.ts: SILENCE_MS',
    'src/platform/mail/mail-greeting.ts: ANSWER_LIMIT_MS',
    'src/platform/outbound/http-exchange.ts: IDLE_MS',
    'src/platform/queue/redis-check.ts: ANSWER_LIMIT_MS',
  ],
};

it('intervals, deadlines and lives of the program stand in the configuration alone', () => {
  const found = sourceFiles('src').flatMap(({ path, syntax }) =>
    WITHOUT_CONFIGURATION.some((place) => path.startsWith(place))
      ? []
      : [...syntax.text.matchAll(CONSTANT)].flatMap(([, name = '']) =>
          UNIT.test(name) ? [] : `${path}: ${name}`,
        ),
  );
  expect(found.sort()).toEqual(Object.values(OTHERS).flat().sort());
});
