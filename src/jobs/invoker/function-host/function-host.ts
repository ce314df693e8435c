import { resolve } from 'node:path';

import { FunctionConfinements } from './confinement/function-confinement.js';
import type { Isolation } from './confinement/function-confinement.js';
import { FunctionHostStoppedError, FunctionNotFoundError } from './process/function-errors.js';
import { FunctionFolder } from './process/function-folder.js';
import type { FunctionSource } from './process/function-folder.js';
import { FunctionProcess } from './process/function-process.js';
import type { FunctionLogLine } from './process/function-process.js';
import type { FunctionTiming } from './process/function-timing.js';
import { PipeTurns } from './process/pipe-turns.js';
import { FunctionWatchdog } from './confinement/function-watchdog.js';

export interface FunctionHostOptions {
  /** The functions folder; it may appear later. */
  dir: string;
  /** Called for each line that a function or its process writes; must not throw. */
  log: (line: FunctionLogLine) => void;
  /** How functions are isolated from the program (`process`). */
  isolation?: Isolation;
  /** Heap of one function, in MiB (256); with its buffers a process may take 192 MiB more. */
  memoryLimitMb?: number;
  /** The settings of `timing.functions`. */
  timing: FunctionTiming;
  /** The whole environment of the functions; never the program's own, which holds secrets (none). */
  env?: Record<string, string>;
  /** The compiled runner, if this module is not compiled itself. */
  runnerPath?: URL;
}

export interface FunctionEndpoint {
  /** Loopback address for one call; ask again for the next call, because the process behind it may change. */
  url: string;
}

/**
 * Serves the functions of a folder on loopback HTTP, each in a separate process, so that a crash, a hang or a huge
 * allocation of one does not affect the others. A process starts at the first call, serves one version of the file
 * and ends when idle, replaced or broken.
 */
export class FunctionHost {
  readonly #folder: FunctionFolder;
  readonly #current = new Map<string, FunctionProcess>();
  /** Includes those that are finishing their last calls. */
  readonly #processes = new Set<FunctionProcess>();
  readonly #confinements: FunctionConfinements;
  readonly #watchdog = new FunctionWatchdog();
  readonly #pipeTurns = new PipeTurns();
  #isStopped = false;

  constructor(private readonly options: FunctionHostOptions) {
    this.#folder = new FunctionFolder(resolve(options.dir));
    this.#confinements = new FunctionConfinements(options.isolation ?? 'process', this.#watchdog);
  }

  /** Functions in the folder now, sorted. */
  async names(): Promise<string[]> {
    return this.#folder.names();
  }

  async has(name: string): Promise<boolean> {
    try {
      await this.#folder.find(name);
      return true;
    } catch (error) {
      if (error instanceof FunctionNotFoundError) return false;
      throw error;
    }
  }

  /**
   * Makes sure that the function's current version runs, and returns its address. Throws FunctionNotFoundError,
   * FunctionLoadError, and FunctionHostStoppedError after `stop`.
   */
  async endpoint(name: string): Promise<FunctionEndpoint> {
    const source = await this.#findOrRetire(name);
    const process = this.#processFor(name, source);
    process.touch();
    return { url: await process.ready };
  }

  /** Ends every process, including those with calls in flight; takes a few seconds at most. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // If ending one process fails, the watchdog ends the rest.
    await Promise.allSettled([...this.#processes].map((process) => process.stop()));
    this.#watchdog.finish();
  }

  async #findOrRetire(name: string): Promise<FunctionSource> {
    try {
      return await this.#folder.find(name);
    } catch (error) {
      this.#current.get(name)?.retire();
      throw error;
    }
  }

  /** Without an await between lookup and start, so that two callers never start two processes. */
  #processFor(name: string, source: FunctionSource): FunctionProcess {
    if (this.#isStopped) throw new FunctionHostStoppedError();
    const current = this.#current.get(name);
    if (current && !current.isReplaceable && current.version === source.version) return current;
    current?.retire();
    const started = new FunctionProcess({
      name,
      source,
      directory: this.#folder.directory,
      runnerPath: this.options.runnerPath ?? new URL('./runner/function-runner.js', import.meta.url),
      env: this.options.env ?? {},
      memoryLimitMb: this.options.memoryLimitMb ?? 256,
      timing: this.options.timing,
      log: this.options.log,
      confinements: this.#confinements,
      watchdog: this.#watchdog,
      pipeTurns: this.#pipeTurns,
    });
    this.#current.set(name, started);
    this.#processes.add(started);
    void started.gone.then(() => {
      this.#processes.delete(started);
      if (this.#current.get(name) === started) this.#current.delete(name);
    });
    return started;
  }
}
