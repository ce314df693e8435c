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
  'test/e2e/(cron-schedulers|full-tenant|overload|redis-loss|shutdown|tenant-cap|turns|worker-crash)',
  'test/faults/under-faults',
  'test/integration/(statement-budget|function-host/)',
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
  ],
  testTimeout: 60_000,
  maxWorkers: 2,
  reporters: [
    'default',
    '<rootDir>/test/support/secrets/log-check-reporter.js',
    '<rootDir>/test/support/closing-line-reporter.js',
  ],
};
