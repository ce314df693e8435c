import { TestEnvironment } from 'jest-environment-node';
import { importCompiled } from './import-compiled.js';

/**
 * Node's environment in which suites get the program's modules as they are compiled. A worker loads these once, and not
 * again for each suite, as it would with the sources: that took 2 s of processor time each.
 */
export default class CompiledEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.importCompiled = importCompiled;
    // So that a clock that a test moves is the program's, and each takes the other's instants for such.
    this.global.Date = Date;
  }
}
