import { readFileSync } from 'node:fs';

/** What scripts/bundle/packages.mjs has joined. */
function bundledPackages() {
  const names = JSON.parse(readFileSync(new URL('.cache/test-packages/names.json', import.meta.url), 'utf8'));
  return Object.fromEntries(names.map((name) => [`^${name}$`, `<rootDir>/.cache/test-packages/${name}.js`]));
}

/** Jest runs the TypeScript sources directly: swc compiles each file, Node links them as ES modules. */
const project = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  runner: '<rootDir>/test/support/lanes-runner.js',
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    ...bundledPackages(),
  },
};

/**
 * Suites that `npm test` leaves to `npm run test:full`: those that start many programs, other machines' servers, the
 * command line or a browser, wait for real time, or send thousands of requests.
 */
const LONG = [
  'test/browser/',
  'test/contract/(client-types|identity/managed-users)',
  'test/e2e/(cli|client|deploy|docs|doctor|examples|failover|gateway|imports|logs|machines|monitoring|packages|signing-keys|startup|telemetry)/',
  'test/e2e/(cron-schedulers|deploy-bundle|event-loop-stalls|fair-share|full-tenant|function-faults|killed-batch)',
  'test/e2e/(lost-answers|lost-wake-ups|openapi-fuzz|operator|overload|redis-accounts|redis-loss|redis-memory)',
  'test/e2e/(refresh-reuse|roles|shutdown|startup-errors|stopped-worker|tenant-cap|worker-crash|worker-share)',
  'test/e2e/(accounts/sign-up-rules|limits/(hash-queue|rates|redis-away)|mail/(invitations|mail-|pages|slow-mail-server))',
  'test/e2e/((api-keys|orgs)/two-instances|audit/audit-reading|console/|run-operations)',
  'test/e2e/project-identity/(pages|requested-mails|slow-mail-servers)',
  'test/e2e/(projects/(command-line|instances|profile-choice)|sessions/refresh-races)',
  'test/(faults/under-faults|drills/drill)',
  'test/integration/(embedded|function-host)/',
  'test/integration/(accounts/pruning|data-events/(delivery|hostile-owner)|database/(lost-connections|small-pool)|orgs/(neighbours|races))',
  'test/integration/jobs/(operations|run-search)',
  'test/unit/scheduler/cron-enumeration',
];

/** Of these, those that fill the machine or compare times: one at a time, in a lane of their own (lanes-runner.js). */
const BY_THE_CLOCK = [
  'test/e2e/(cron-schedulers|full-tenant|logs/logs|overload|redis-loss|shutdown|tenant-cap|worker-crash)',
  'test/faults/under-faults',
  'test/integration/function-host/',
];

/** Its packages are installed for `npm run test:prism` alone. */
const PRISM = process.env.TEST_PRISM === undefined ? ['test/prism/'] : [];

const isExhaustive = process.env.TEST_EXHAUSTIVE !== undefined;

/** Suites of jobs, which run once more with projects for organizations; `npm run test:exhaustive` has all of them. */
const JOBS_IN_PROJECTS = isExhaustive
  ? [
      'test/integration/(cron|data-events|event-triggers/(runs|delivery)|hooks|jobs|logs|signing|vault)/',
      'test/e2e/(cron-run|cron-schedulers|deploy-bundle|fair-share|full-tenant|function-faults|handler-answers)',
      'test/e2e/(handler-call|logs/|lost-wake-ups|redis-loss|run-attempts|run-cancellation|shutdown)',
      'test/e2e/(stopped-worker|tenant-cap|triggering|worker-crash)',
    ]
  : [
      'test/e2e/(cron-run|handler-call|triggering)',
      'test/integration/(data-events/capture|event-triggers/runs|hooks/(redelivery|forwarding)|jobs/(definitions|batch-triggers|child-runs)|vault)',
    ];

const ofPaths = (paths) => ({
  testMatch: undefined,
  testRegex: paths.map((path) => `${path}.*\\.test\\.ts$`),
});
const byTheClock = { globals: { TEST_LANE: 'clock' } };
const beside = { setupFiles: ['<rootDir>/test/support/below-the-clock.js'] };
const inProjects = { ...project, ...ofPaths(JOBS_IN_PROJECTS), displayName: 'in projects' };

const sideBySide = { ...project, ...beside, displayName: 'side by side' };
const ignoring = (paths) => ({ testPathIgnorePatterns: ['/node_modules/', ...PRISM, ...paths] });
const SHORT_SUITES = { ...sideBySide, ...ignoring(LONG) };
const LONG_SUITES = { ...sideBySide, ...ofPaths(LONG), ...ignoring(BY_THE_CLOCK) };
const ALL_SUITES = { ...sideBySide, ...ignoring(BY_THE_CLOCK) };
const BESIDES = [
  { ...project, ...ofPaths(BY_THE_CLOCK), ...byTheClock, displayName: 'by the clock' },
  // All of them have many that measure by the clock; the chosen few have none.
  isExhaustive
    ? { ...inProjects, globals: { ...byTheClock.globals, TEST_PROFILE: 'project' } }
    : { ...inProjects, ...beside, globals: { TEST_PROFILE: 'project' } },
];

const SCOPES = {
  short: [SHORT_SUITES],
  long: [LONG_SUITES, ...BESIDES],
  all: [ALL_SUITES, ...BESIDES],
};

export default {
  projects: SCOPES[process.env.TEST_SCOPE ?? 'all'],
  // Of a test that hangs. A busy machine takes many times as long as a quiet one.
  testTimeout: 240_000,
  // One more than the cores that are promised: suites wait for others' clocks half of their time.
  maxWorkers: 3,
  // Modules of suites that ended are never freed (node:vm keeps linked ES modules), so workers are replaced.
  workerIdleMemoryLimit: '1GB',
  reporters: [
    'default',
    '<rootDir>/test/support/secrets/log-check-reporter.js',
    '<rootDir>/test/support/closing-line-reporter.js',
  ],
};
