import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What scripts/test/packages.mjs has written. */
function packages() {
  const names = JSON.parse(readFileSync(new URL('.cache/test-packages/names.json', import.meta.url), 'utf8'));
  return Object.fromEntries(names.map((name) => [`^${name}$`, `<rootDir>/.cache/test-packages/${name}.js`]));
}

/** As a part of a regular expression, in which Jest does not replace <rootDir>. */
const root = fileURLToPath(new URL('.', import.meta.url)).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Jest runs TypeScript directly: swc compiles each file, Node links them as ES modules. Of the program, suites take what is
 * compiled already (docs/decisions/0111).
 */
const project = {
  testEnvironment: '<rootDir>/test/support/compiled/environment.js',
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    [`^${root}(?:src|servicectl/src|migrations)/.+\\.ts$`]: '<rootDir>/test/support/compiled/transformer.js',
    '^.+\\.ts$': ['@swc/jest'],
  },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    ...packages(),
  },
};

/** Suites of jobs that the slow lane runs once more with projects for organizations. */
const JOBS_IN_PROJECTS = [
  'test/slow/e2e/(deploy-bundle|fair-share|function-faults|lost-wake-ups|shutdown|worker-crash)',
  'test/e2e/(cron-run|handler-call|triggering)',
  'test/integration/(data-events/capture|event-triggers/runs|hooks/(redelivery|forwarding))',
  'test/integration/(jobs/(definitions|batch-triggers|child-runs)|vault)',
];

const SUITES = '**/*.test.ts';
const inProjects = {
  ...project,
  testRegex: JOBS_IN_PROJECTS.map((path) => `${path}.*\\.test\\.ts$`),
  displayName: 'in projects',
  globals: { TEST_PROFILE: 'project' },
};

const LANES = {
  gate: [{ ...project, testMatch: [SUITES, '!**/test/slow/**'] }],
  slow: [{ ...project, testMatch: [`**/test/slow/${SUITES}`] }, inProjects],
  all: [{ ...project, testMatch: [SUITES] }],
};

const lane = process.env.TEST_LANE ?? 'all';

/** docs/testing.md explains the lanes. */
export default {
  projects: LANES[lane],
  // Of a test that hangs, however busy the machine is.
  testTimeout: lane === 'gate' ? 120_000 : 240_000,
  // Twice the cores that are promised: suites wait for other processes half of their time.
  maxWorkers: lane === 'slow' ? 1 : 4,
  // Modules of suites that ended are never freed (node:vm keeps linked ES modules), so workers are replaced.
  workerIdleMemoryLimit: '1300MB',
  reporters: ['default', '<rootDir>/test/support/secrets/log-check-reporter.js'],
};
