import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../../../servicectl/servicectl.mjs', import.meta.url));
const SEVERAL = fileURLToPath(new URL('several-commands.mjs', import.meta.url));

export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string>>;

/**
 * Runs `servicectl …` as its users do: a process of its own, from the build, with these variables and no others.
 * @param input on its standard input
 */
export async function runCli(
  args: readonly string[],
  variables: Variables = {},
  input: string | Uint8Array = '',
): Promise<CommandOutcome> {
  return await run([LAUNCHER, ...args], variables, input);
}

/** Runs several command lines in one process, for what is slow to load and not about the process. */
export async function runSeveral(
  commands: readonly (readonly string[])[],
  variables: Variables,
): Promise<CommandOutcome[]> {
  const { stdout, stderr } = await run([SEVERAL, JSON.stringify(commands)], variables, '');
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout) as CommandOutcome[];
}

async function run(
  command: readonly string[],
  variables: Variables,
  input: string | Uint8Array,
): Promise<CommandOutcome> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, command, { env: { PATH, HOME, ...variables }, cwd: tmpdir() });
  child.stdin.end(input);
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
