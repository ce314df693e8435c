import { execFile } from 'node:child_process';
import { stop } from 'esbuild';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const { bundle } = (await import(new URL('../../../scripts/bundle/bundling.mjs', import.meta.url).href)) as {
  bundle: (options: {
    entryPoints?: string[];
    stdin?: { contents: string; resolveDir: string };
    outdir: string;
  }) => Promise<unknown>;
};

/** Both files define what the bundler has to rename where it joins them. */
const FIRST = `
import { Second, named as other } from './second.mjs';
let Thing = class Thing { static described = this.name; };
const Expression = class {};
function named() { const closure = () => 0; return closure; }
export const names = [Thing.name, Thing.described, Second.name, Expression.name];
export const results = [named()(), other()()];
`;
const SECOND = `
class Thing {}
function named() { const closure = () => 1; return closure; }
export { Thing as Second, named };
`;

describe('a bundle', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bundling-'));
    writeFileSync(join(folder, 'first.mjs'), FIRST);
    writeFileSync(join(folder, 'second.mjs'), SECOND);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  afterAll(async () => {
    // The bundler leaves a process of its own behind.
    await stop();
  });

  it('keeps the names of classes that it had to rename', async () => {
    await bundle({ entryPoints: [join(folder, 'first.mjs')], outdir: join(folder, 'out') });
    const { names, results } = (await import(pathToFileURL(join(folder, 'out/first.js')).href)) as {
      names: string[];
      results: number[];
    };
    expect(names).toEqual(['Thing', 'Thing', 'Thing', 'Expression']);
    expect(results).toEqual([0, 1]);
  });

  it('loads TypeORM once, although @nestjs/typeorm asks for it a second time', async () => {
    const contents = `
      import { createRequire } from 'node:module';
      import { TypeOrmModule } from '@nestjs/typeorm';
      import { DataSource } from 'typeorm';
      const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('typeorm'));
      console.log(JSON.stringify([TypeOrmModule.name, DataSource.name, loaded]));`;
    const outdir = join(folder, 'out');
    await bundle({ stdin: { contents, resolveDir: process.cwd() }, outdir });
    // Where the bundle would find the packages, as that of the program does.
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    const { stdout } = await promisify(execFile)(process.execPath, [join(outdir, 'stdin.js')]);
    expect(JSON.parse(stdout)).toEqual(['TypeOrmModule', 'DataSource', []]);
  });
});
