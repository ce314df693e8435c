import { TestEnvironment } from 'jest-environment-node';
import { AsyncLocalStorage } from 'node:async_hooks';
import { importCompiled, importPackage } from './import-compiled.js';

/** What jest-worker sends when there is no suite left. */
const CHILD_MESSAGE_END = 2;

// Jest waits 500 ms, then speaks of leaks. To free a heap with the modules of many suites may take longer, also in an
// orderly exit, which only a measurement of the coverage needs.
process.on('message', ([kind]) => {
  if (kind !== CHILD_MESSAGE_END) return;
  if (process.env.NODE_V8_COVERAGE === undefined) process.kill(process.pid, 'SIGKILL');
  else process.exit();
});

/** The storages in use. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this);
  return run.apply(this, args);
};

/**
 * Jest makes a storage for each suite and never turns it off. Before Node.js 24, each one costs every later promise of the
 * worker: a quarter of its processor time after 40 suites.
 */
function disableStorages() {
  for (const storage of storages) storage.disable();
  storages.clear();
}

/** What is expensive to make and the same for all suites of a worker. */
const kept = new Map();

/**
 * Node's environment in which suites get the program's modules as they are compiled, and packages as Node loads them. A
 * worker loads these once, and not again for each suite, as it would with the sources: that took 2 s of processor time each.
 */
export default class CompiledEnvironment extends TestEnvironment {
  /** The child processes that the suite started. */
  programs = new Set();

  async setup() {
    await super.setup();
    this.global.importCompiled = importCompiled;
    this.global.importPackage = importPackage;
    this.global.keptForSuites = kept;
    this.global.programsOfSuite = this.programs;
    // So that a clock that a test moves is the program's, and each takes the other's instants for such.
    this.global.Date = Date;
    // What decorators have noted lies in it.
    this.global.Reflect = Reflect;
  }

  /** Ends what a suite left running because its time limit came before the end of its test. */
  async teardown() {
    for (const program of this.programs)
      if (program.exitCode === null && program.signalCode === null) program.kill('SIGKILL');
    disableStorages();
    await super.teardown();
  }
}
