import { createRequire } from 'node:module';

const { default: TestRunner } = createRequire(import.meta.url)('jest-runner');

/** Jest runs the suites of such a runner one after another, when those of every other runner have ended. */
export default class OneAtATimeRunner extends TestRunner {
  isSerial = true;
}
