import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { newLogFile, recordSecretsOfVariables } from './secrets/secret-journal.js';
import { until } from './until.js';

const PROGRAM = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

declare global {
  /** Ended with the suite (test/support/compiled/environment.js). */
  var programsOfSuite: Set<ChildProcess>;
}

/** The program as users run it: a separate process, from the build. */
export class ServiceProcess {
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    globalThis.programsOfSuite.add(child);
    const file = newLogFile();
    const keep = (chunk: Buffer): void => {
      this.output += chunk.toString('utf8');
      if (file !== null) appendFileSync(file, chunk);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  /** Starts it with these variables and none of this process, and waits until it serves requests. */
  static async start(variables: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(variables);
    await until(
      () => service.url !== null || service.child.exitCode !== null,
      60_000,
      () => service.log,
    );
    if (service.url === null) throw new Error(`the program ended:\n${service.log}`);
    return service;
  }

  /** Starts it without waiting, for starts that should fail. */
  static spawn(variables: Readonly<Record<string, string>>): ServiceProcess {
    const { PATH = '', HOME = '' } = process.env;
    recordSecretsOfVariables(variables);
    const env = { PATH, HOME, SERVICE_LOG__LEVEL: 'debug', ...variables };
    return new ServiceProcess(
      spawn(process.execPath, [PROGRAM], { env, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] }),
    );
  }

  /** Everything that it has printed so far. */
  get log(): string {
    return this.output;
  }

  /** The address on which it listens, from its banner. */
  get url(): string | null {
    return /^ {2}(?:API|Address)\s+(\S+)$/m.exec(this.output)?.[1] ?? null;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Whether it has ended, by a signal or by itself. */
  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Its exit code; null when a signal ended it. */
  async exit(): Promise<number | null> {
    if (!this.hasEnded) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  /** Ends it as an orchestrator does, or immediately with SIGKILL. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.signal(signal);
    return await this.exit();
  }
}
