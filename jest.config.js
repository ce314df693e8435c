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

/** Suites that measure by the clock, or fill the machine: one at a time, in a lane of their own (lanes-runner.js). */
const BY_THE_CLOCK = [
  'test/e2e/(cron-schedulers|full-tenant|logs/logs|overload|redis-loss|shutdown|tenant-cap|turns|worker-crash)',
  'test/faults/under-faults',
  'test/integration/(statement-budget|function-host/)',
];

const isFull = process.env.TEST_FULL !== undefined;

/** Suites of jobs, which run once more with projects for organizations; `npm run test:full` has all of them. */
const JOBS_IN_PROJECTS = isFull
  ? [
      'test/integration/(cron|data-events|hooks|jobs|logs|signing|vault)/',
      'test/e2e/(cron-run|cron-schedulers|deploy-bundle|full-tenant|function-faults|handler-answers|handler-call)',
      'test/e2e/(logs/|lost-hints|redis-loss|run-attempts|run-cancellation|shutdown|stopped-worker)',
      'test/e2e/(tenant-cap|triggering|turns|worker-crash)',
    ]
  : [
      'test/e2e/(cron-run|handler-call|triggering)',
      'test/integration/(data-events/capture|hooks/redelivery|jobs/definitions|vault)',
    ];

const ofPaths = (paths) => ({
  testMatch: undefined,
  testRegex: paths.map((path) => `${path}.*\\.test\\.ts$`),
});
const byTheClock = { globals: { TEST_LANE: 'clock' } };
const beside = { setupFiles: ['<rootDir>/test/support/below-the-clock.js'] };
const inProjects = { ...project, ...ofPaths(JOBS_IN_PROJECTS), displayName: 'in projects' };

export default {
  projects: [
    {
      ...project,
      ...beside,
      displayName: 'side by side',
      testPathIgnorePatterns: ['/node_modules/', ...BY_THE_CLOCK],
    },
    { ...project, ...ofPaths(BY_THE_CLOCK), ...byTheClock, displayName: 'by the clock' },
    // All of them have many that measure by the clock; the chosen few have none.
    isFull
      ? { ...inProjects, globals: { ...byTheClock.globals, TEST_PROFILE: 'project' } }
      : { ...inProjects, ...beside, globals: { TEST_PROFILE: 'project' } },
  ],
  testTimeout: 60_000,
  // One more than the cores that are promised: suites wait for others' clocks half of their time.
  maxWorkers: 3,
  reporters: [
    'default',
    '<rootDir>/test/support/secrets/log-check-reporter.js',
    '<rootDir>/test/support/closing-line-reporter.js',
  ],
};
