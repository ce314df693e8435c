import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from '../../../support/documents/markdown.js';
import { until } from '../../../support/until.js';

const COMMANDS = fileURLToPath(new URL('commands', import.meta.url));
/** Some commands load the whole program. */
const BLOCK_LIMIT_MS = 45_000;
const OF_THE_CHECKOUT = ['examples', 'scripts', 'docs', 'deploy', 'package.json', 'service.example.toml'];

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** Commands that ended with another code than 0. */
  readonly failed: readonly string[];
  /** The statuses that curl got, lowest first; 0 where there was no answer. */
  readonly statuses: readonly number[];
}

/** A reader's terminal: bash in a folder of its own, with what one block sets there for the next. */
export class DocumentShell {
  private output = { stdout: '', stderr: '' };
  private count = 0;

  private constructor(
    private readonly scratch: string,
    private readonly standIns: ReadonlyMap<string, string>,
    private readonly bash: ChildProcessWithoutNullStreams,
  ) {
    bash.stdout.on('data', (chunk: Buffer) => (this.output.stdout += chunk.toString('utf8')));
    bash.stderr.on('data', (chunk: Buffer) => (this.output.stderr += chunk.toString('utf8')));
  }

  /**
   * @param standIns what is here in place of what documents have
   * @param variables its configuration, for `npx servicectl`
   */
  static async open(
    folder: string,
    standIns: ReadonlyMap<string, string>,
    variables: Readonly<Record<string, string>>,
  ): Promise<DocumentShell> {
    const scratch = await mkdtemp(join(folder, '.shell-'));
    await Promise.all([
      mkdir(join(scratch, 'answers')),
      writeFile(join(scratch, 'failed'), ''),
      writeFile(
        join(scratch, 'variables'),
        Object.entries(variables)
          .map(([name, value]) => `${name}='${value}'\n`)
          .join(''),
      ),
    ]);
    const { PATH = '' } = process.env;
    const bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: {
        PATH: `${COMMANDS}:${PATH}`,
        HOME: folder,
        DOCUMENT_ANSWERS: join(scratch, 'answers'),
        DOCUMENT_VARIABLES: join(scratch, 'variables'),
        DOCUMENT_CURL: spawnSync('which', ['curl'], { encoding: 'utf8' }).stdout.trim(),
        DOCUMENT_REPOSITORY: REPOSITORY,
      },
    });
    const shell = new DocumentShell(scratch, standIns, bash);
    bash.stdin.write(`set -uE; trap 'printf "%s\\n" "$BASH_COMMAND" >> ${scratch}/failed' ERR\n`);
    return shell;
  }

  /** Runs a block of a document. Throws when it does not come to an end. */
  async run(text: string): Promise<Outcome> {
    this.count += 1;
    const file = join(this.scratch, `block-${this.count}.sh`);
    await writeFile(file, this.here(text));
    this.output = { stdout: '', stderr: '' };
    this.bash.stdin.write(`source ${file} </dev/null\nprintf '\\0'\n`);
    await until(
      () => this.output.stdout.includes('\0') || this.bash.exitCode !== null,
      BLOCK_LIMIT_MS,
      () => `It printed: ${this.output.stdout}${this.output.stderr}`,
    );
    if (this.bash.exitCode !== null) throw new Error(`the shell ended: ${this.output.stderr}`);
    const failed = (await readFile(join(this.scratch, 'failed'), 'utf8')).split('\n').filter(Boolean);
    await writeFile(join(this.scratch, 'failed'), '');
    const { stdout, stderr } = this.output;
    return { stdout: stdout.replace('\0', ''), stderr, failed, statuses: await this.takeStatuses() };
  }

  /** The text as it reads here. */
  here(text: string): string {
    return [...this.standIns].reduce((read, [shown, actual]) => read.replaceAll(shown, actual), text);
  }

  async close(): Promise<void> {
    this.bash.stdin.end();
    await until(() => this.bash.exitCode !== null);
  }

  private async takeStatuses(): Promise<number[]> {
    const folder = join(this.scratch, 'answers');
    const files = await readdir(folder);
    const statuses = await Promise.all(
      files.map(async (name) => {
        const headers = await readFile(join(folder, name), 'utf8');
        await rm(join(folder, name));
        return Number(/^HTTP\/\S+ (\d+)(?![^]*^HTTP\/)/m.exec(headers)?.[1] ?? 0);
      }),
    );
    return statuses.sort((one, other) => one - other);
  }
}

/** A folder for a reader to work in, like the checkout as far as documents name files of it. */
export async function readersFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'service-reader-'));
  await Promise.all(OF_THE_CHECKOUT.map((name) => symlink(join(REPOSITORY, name), join(folder, name))));
  return folder;
}
