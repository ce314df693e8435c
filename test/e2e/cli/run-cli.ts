import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../../bin/service.mjs', import.meta.url));

export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `service …` as its users do: a process of its own, from the build, with these variables and no others. */
export async function runCli(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  cwd = tmpdir(),
): Promise<CommandOutcome> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env: { PATH, HOME, ...variables },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}
