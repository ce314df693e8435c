import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../../support/until.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** An example that serves, as its users run it after `npm install`: in a folder of its own with what it depends on. */
export class ExampleProcess {
  private output = '';

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {
    const keep = (chunk: Buffer): void => {
      this.output += chunk.toString('utf8');
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  static async start(
    name: string,
    program: string,
    dependencies: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<ExampleProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'service-example-'));
    await cp(join(ROOT, 'examples', name), folder, { recursive: true });
    await mkdir(join(folder, 'node_modules/@service'), { recursive: true });
    await symlink(join(ROOT, 'client'), join(folder, 'node_modules/@service/client'));
    for (const dependency of dependencies) {
      await symlink(join(ROOT, 'node_modules', dependency), join(folder, 'node_modules', dependency));
    }
    const { PATH = '' } = process.env;
    const env = { PATH, PORT: '0', ...variables };
    const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const example = new ExampleProcess(folder, child);
    await until(
      () => example.url !== null || child.exitCode !== null,
      20_000,
      () => example.output,
    );
    if (example.url === null) throw new Error(`the example ended: ${example.output}`);
    return example;
  }

  /** Where it listens, by what it prints. */
  get url(): string | null {
    return /http:\/\/127\.0\.0\.1:\d+/.exec(this.output)?.[0] ?? null;
  }

  async stop(): Promise<void> {
    this.child.kill();
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await rm(this.folder, { recursive: true, force: true });
  }
}
