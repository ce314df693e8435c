/** Jest runs the TypeScript sources directly: swc compiles each file, Node links them as ES modules. */
const project = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@willsoto/nestjs-prometheus$': '<rootDir>/test/support/commonjs/nestjs-prometheus.ts',
    '^@nestjs-modules/mailer$': '<rootDir>/test/support/commonjs/nestjs-mailer.ts',
    '^@fastify/static$': '<rootDir>/test/support/commonjs/fastify-static.ts',
  },
};

/** Suites that count by the clock, or fill the machine: beside another they would make each other late. */
const ALONE = [
  'test/e2e/(cron-schedulers|full-tenant|logs/logs|overload|redis-loss|shutdown|tenant-cap|turns|worker-crash)',
  'test/faults/under-faults',
  'test/integration/(statement-budget|function-host/)',
];

/** Suites of jobs, which run once more with projects for organizations; `npm run test:full` has all of them. */
const JOBS_IN_PROJECTS =
  process.env.TEST_FULL === undefined
    ? [
        'test/e2e/(cron-run|handler-call|triggering)',
        'test/integration/(data-events/capture|hooks/redelivery|jobs/definitions|vault)',
      ]
    : [
        'test/integration/(cron|data-events|hooks|jobs|logs|signing|vault)/',
        'test/e2e/(cron-run|cron-schedulers|deploy-bundle|full-tenant|function-faults|handler-answers|handler-call)',
        'test/e2e/(logs/|lost-hints|redis-loss|run-attempts|run-cancellation|shutdown|stopped-worker)',
        'test/e2e/(tenant-cap|triggering|turns|worker-crash)',
      ];

export default {
  projects: [
    { ...project, displayName: 'side by side', testPathIgnorePatterns: ['/node_modules/', ...ALONE] },
    {
      ...project,
      displayName: 'one at a time',
      testMatch: undefined,
      testRegex: ALONE.map((path) => `${path}.*\\.test\\.ts$`),
      runner: '<rootDir>/test/support/one-at-a-time-runner.js',
    },
    {
      ...project,
      displayName: 'in projects',
      testMatch: undefined,
      testRegex: JOBS_IN_PROJECTS.map((path) => `${path}.*\\.test\\.ts$`),
      globals: { TEST_PROFILE: 'project' },
      // Many of them count by the clock; beside the others there are few.
      ...(process.env.TEST_FULL === undefined
        ? {}
        : { runner: '<rootDir>/test/support/one-at-a-time-runner.js' }),
    },
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
