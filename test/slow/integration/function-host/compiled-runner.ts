import { transformFile } from '@swc/core';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCE = resolve('src/jobs/invoker/function-host');
/** Inside the project, so that what the compiled modules import from npm resolves. */
const TARGET = resolve('.cache/function-host');

/** The module as children can run it: they are plain Node processes, which Jest compiles nothing for. */
export interface CompiledRunner {
  /** For FunctionHost's `runnerPath`. */
  path: URL;
  /** The compiled `index.js`, for a program of its own. */
  index: URL;
  remove: () => Promise<void>;
}

export async function compileRunner(): Promise<CompiledRunner> {
  await mkdir(TARGET, { recursive: true });
  const folder = await mkdtemp(join(TARGET, 'build-'));
  const files = (await readdir(SOURCE, { recursive: true })).filter((file) => file.endsWith('.ts'));
  for (const file of files) {
    const { code } = await transformFile(join(SOURCE, file));
    const target = join(folder, file.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, code);
  }
  return {
    path: pathToFileURL(join(folder, 'runner/function-runner.js')),
    index: pathToFileURL(join(folder, 'index.js')),
    remove: () => rm(folder, { recursive: true }),
  };
}
