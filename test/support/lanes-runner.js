import { createRequire } from 'node:module';

const { default: TestRunner } = createRequire(import.meta.url)('jest-runner');

/**
 * Runs suites in two lanes at once: those whose project says `lane: 'clock'` one after another, all others beside
 * them, with a lower priority (below-the-clock.js), so that what is measured by the clock finds the machine free.
 */
export default class LanesRunner extends TestRunner {
  constructor(globalConfig, context) {
    super(globalConfig, context);
    this.clock = new TestRunner({ ...globalConfig, maxWorkers: 1 }, context);
    this.others = new TestRunner(globalConfig, context);
  }

  async runTests(tests, watcher, options) {
    const isByClock = ({ context }) => context.config.globals.TEST_LANE === 'clock';
    await Promise.all([
      this.clock.runTests(tests.filter(isByClock), watcher, options),
      this.others.runTests(
        tests.filter((test) => !isByClock(test)),
        watcher,
        options,
      ),
    ]);
  }

  on(eventName, listener) {
    const ends = [this.clock.on(eventName, listener), this.others.on(eventName, listener)];
    return () => {
      for (const end of ends) end();
    };
  }
}
