import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What the client depends on, packed from this repository's own, so that no registry is asked. */
const DEPENDENCIES = [
  'eventsource-parser',
  'idb-keyval',
  'jose',
  'standardwebhooks',
  '@stablelib/base64',
  'fast-sha256',
];

/** An empty project, as a user's, into which the client's package is installed. */
export class ClientProject {
  private constructor(readonly folder: string) {}

  /** @param unbuilt a copy of client/ without dist/, which npm builds as it packs it; by default client/ as it is built */
  static async create(unbuilt?: string): Promise<ClientProject> {
    const folder = await mkdtemp(join(tmpdir(), 'service-client-'));
    const project = new ClientProject(folder);
    await project.write('package.json', '{ "name": "empty", "private": true }');
    const dependencies = DEPENDENCIES.map((name) => join(ROOT, 'node_modules', name));
    const files = unbuilt === undefined ? [] : await pack(folder, [unbuilt]);
    // A build in place would take client/dist from suites that use it.
    const built = unbuilt === undefined ? [join(ROOT, 'client')] : [];
    files.push(...(await pack(folder, ['--ignore-scripts', ...built, ...dependencies])));
    await npm(folder, ['install', '--offline', '--no-audit', '--no-fund', ...files]);
    return project;
  }

  async write(name: string, text: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }

  /** Gives it a package of this repository as well. */
  async link(name: string): Promise<void> {
    await symlink(join(ROOT, 'node_modules', name), join(this.folder, 'node_modules', name));
  }

  /** Runs a program of the project by Node.js. @returns what it printed */
  async node(name: string, ...args: string[]): Promise<string> {
    return (await run(process.execPath, [join(this.folder, name), ...args], { cwd: this.folder })).stdout;
  }

  /** Checks types by this repository's compiler. @returns its complaints; empty when there are none */
  async typeCheck(config: object, ...files: string[]): Promise<string> {
    const compilerOptions = { strict: true, noEmit: true, types: [], skipLibCheck: false, ...config };
    const path = await this.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    return await run(process.execPath, [compiler, '-p', path]).then(
      () => '',
      (error: unknown) => (error as { stdout: string }).stdout,
    );
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function pack(folder: string, args: string[]): Promise<string[]> {
  const packed = JSON.parse(await npm(folder, ['pack', '--json', ...args])) as { filename: string }[];
  return packed.map(({ filename }) => `./${filename}`);
}

async function npm(cwd: string, args: string[]): Promise<string> {
  const { npm_execpath: program } = process.env;
  if (program === undefined) throw new Error('run the tests with npm test');
  return (await run(process.execPath, [program, ...args], { cwd })).stdout;
}
