/** Jest runs the TypeScript sources directly: swc compiles each file, Node links them as ES modules. */
export default {
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
  testTimeout: 60_000,
  // Two at a time on two cores would make each other late, and some of these tests measure lateness.
  maxWorkers: 1,
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
};
