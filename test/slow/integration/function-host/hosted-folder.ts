import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { FunctionHost } from '../../../../src/jobs/invoker/function-host/index.js';
import type {
  FunctionHostOptions,
  FunctionLogLine,
} from '../../../../src/jobs/invoker/function-host/index.js';
import { loadConfig } from '../../../../src/platform/config/index.js';
import type { CompiledRunner } from './compiled-runner.js';
import { fetch } from '../../../support/fetch.js';

export interface CallOptions {
  body?: string | Uint8Array<ArrayBuffer>;
  runId?: string;
  attempt?: number;
  timeoutMs?: number;
  headers?: Record<string, string>;
}

/** The program's own times. */
export const FUNCTION_TIMING: FunctionHostOptions['timing'] = loadConfig({ env: {}, cwd: '/' }).timing
  .functions;

type HostOptions = Partial<Omit<FunctionHostOptions, 'timing'>> & {
  timing?: Partial<FunctionHostOptions['timing']>;
};

/** A functions folder of its own with a host on it, and what a test asks of them. */
export class HostedFolder {
  readonly lines: FunctionLogLine[] = [];
  readonly host: FunctionHost;

  private constructor(
    readonly directory: string,
    runner: CompiledRunner,
    { timing, ...options }: HostOptions,
  ) {
    this.host = new FunctionHost({
      env: { PASSED_ON: 'yes' },
      dir: directory,
      runnerPath: runner.path,
      log: (line) => this.lines.push(line),
      timing: { ...FUNCTION_TIMING, ...timing },
      ...options,
    });
  }

  static async create(runner: CompiledRunner, options: HostOptions = {}): Promise<HostedFolder> {
    return new HostedFolder(await mkdtemp(join(tmpdir(), 'functions-')), runner, options);
  }

  async write(file: string, text: string): Promise<void> {
    const path = join(this.directory, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  async call(name: string, options: CallOptions = {}): Promise<Response> {
    const { url } = await this.host.endpoint(name);
    const { body = '{}', runId = 'run-1', attempt = 1, timeoutMs = 10_000, headers = {} } = options;
    return fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-service-run-id': runId,
        'x-service-attempt': String(attempt),
        ...headers,
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  async text(name: string, options: CallOptions = {}): Promise<string> {
    return (await this.call(name, options)).text();
  }

  messages(runId: string | null): string[] {
    return this.lines.filter((line) => line.runId === runId).map((line) => line.message);
  }

  async remove(): Promise<void> {
    await this.host.stop();
    await rm(this.directory, { recursive: true });
  }
}

/** Waits until the condition holds; throws after the bound. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  boundMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + boundMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the condition did not come to hold in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A function that answers the id of its process. */
export const PID_FUNCTION = 'export default () => new Response(String(process.pid));\n';
