import { readFileSync } from 'node:fs';

/** What scripts/bundle/packages.mjs has joined. */
function bundledPackages() {
  const names = JSON.parse(readFileSync(new URL('.cache/test-packages/names.json', import.meta.url), 'utf8'));
  return Object.fromEntries(names.map((name) => [`^${name}$`, `<rootDir>/.cache/test-packages/${name}.js`]));
}

/** Jest runs TypeScript directly: swc compiles each file, Node links them as ES modules. */
const ofSources = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    ...bundledPackages(),
  },
};

/** Suites that start the program, or large parts of it, take it as it is compiled. */
const ofProgram = {
  ...ofSources,
  testEnvironment: '<rootDir>/test/support/compiled/environment.js',
  transform: {
    '<rootDir>/(?:src|migrations)/.+\\.ts$': '<rootDir>/test/support/compiled/transformer.js',
    ...ofSources.transform,
  },
};

/** Suites of jobs that the slow lane runs once more with projects for organizations. */
const JOBS_IN_PROJECTS = [
  'test/slow/e2e/(deploy-bundle|fair-share|function-faults|lost-wake-ups|shutdown|worker-crash)',
  'test/e2e/(cron-run|handler-call|triggering)',
  'test/integration/(data-events/capture|event-triggers/runs|hooks/(redelivery|forwarding))',
  'test/integration/(jobs/(definitions|batch-triggers|child-runs)|vault)',
];

const UNIT_SUITES = 'test/(slow/)?(unit|architecture)/.*\\.test\\.ts$';
const PROGRAM_SUITES = 'test/(slow/)?(?!unit|architecture|slow|support)[^/]+/.*\\.test\\.ts$';
const SLOW = '<rootDir>/test/slow/';
const unit = { ...ofSources, testRegex: UNIT_SUITES, displayName: 'unit' };
const program = { ...ofProgram, testRegex: PROGRAM_SUITES, displayName: 'program' };
const isGate = { testPathIgnorePatterns: [SLOW] };
const isSlow = { roots: [SLOW] };
const inProjects = {
  ...ofProgram,
  testRegex: JOBS_IN_PROJECTS.map((path) => `${path}.*\\.test\\.ts$`),
  displayName: 'in projects',
  globals: { TEST_PROFILE: 'project' },
};

const LANES = {
  gate: [
    { ...unit, ...isGate },
    { ...program, ...isGate },
  ],
  slow: [{ ...unit, ...isSlow }, { ...program, ...isSlow }, inProjects],
  all: [unit, program],
};

const lane = process.env.TEST_LANE ?? 'all';

/** docs/testing.md explains the lanes. */
export default {
  projects: LANES[lane],
  // Of a test that hangs, however busy the machine is.
  testTimeout: lane === 'gate' ? 120_000 : 240_000,
  // One more than the cores that are promised: suites wait for other processes half of their time.
  maxWorkers: lane === 'slow' ? 1 : 3,
  // Modules of suites that ended are never freed (node:vm keeps linked ES modules), so workers are replaced.
  workerIdleMemoryLimit: '1GB',
  reporters: ['default', '<rootDir>/test/support/secrets/log-check-reporter.js'],
};
