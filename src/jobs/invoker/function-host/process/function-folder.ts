import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { linkOutOf } from '../confinement/function-links.js';
import { FunctionLoadError, FunctionNotFoundError } from './function-errors.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** In order of preference if both files exist. */
const EXTENSIONS = ['.mjs', '.ts'];
/** A bound on the work per call, not on the folder: files beyond it change nothing until the next start. */
const MAX_WATCHED_MODULES = 500;

export interface FunctionSource {
  file: string;
  /** Differs whenever the file, or a module in a subfolder that it may import, was written or replaced. */
  version: string;
}

/** The functions folder: `<name>.mjs` and `<name>.ts` at its top; subfolders hold what these import. */
export class FunctionFolder {
  constructor(readonly directory: string) {}

  /** Names in the folder now, sorted; none when the folder does not exist. */
  async names(): Promise<string[]> {
    const names = new Set<string>();
    for (const file of await filesAt(this.directory)) {
      const name = nameOf(file);
      if (name !== null && (await statFile(join(this.directory, file)))) names.add(name);
    }
    return [...names].sort();
  }

  /**
   * Throws FunctionNotFoundError if no file has this name, or if the name could lead out of the folder, and
   * FunctionLoadError if a link does: under Node's permission model, functions read whatever a link leads to.
   */
  async find(name: string): Promise<FunctionSource> {
    if (!NAME.test(name)) throw new FunctionNotFoundError(name);
    for (const extension of EXTENSIONS) {
      const base = `${name}${extension}`;
      if (nameOf(base) !== name) continue;
      const file = join(this.directory, base);
      const found = await statFile(file);
      if (!found) continue;
      const link = await linkOutOf(this.directory, await this.#watchedLinks());
      if (link !== null)
        throw new FunctionLoadError(
          name,
          `the link ${relative(this.directory, link)} leads out of the functions folder`,
        );
      const modules = await this.#modulesStamp();
      return { file, version: `${base} ${stamp(found)} ${modules}` };
    }
    throw new FunctionNotFoundError(name);
  }

  /** Links of the folder and its subfolders. Those of packages are examined when a process starts. */
  async #watchedLinks(): Promise<string[]> {
    const links: string[] = [];
    const folders = [this.directory];
    for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
      for (const entry of await entriesAt(folder)) if (entry.isLink) links.push(join(folder, entry.name));
      folders.push(...(await foldersAt(folder)));
    }
    return links;
  }

  async #modulesStamp(): Promise<string> {
    const stamps: string[] = [];
    const folders = await foldersAt(this.directory);
    for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
      for (const file of (await filesAt(folder)).sort()) {
        const found = await statFile(join(folder, file));
        if (found) stamps.push(`${file} ${stamp(found)}`);
        if (stamps.length >= MAX_WATCHED_MODULES) return stamps.join();
      }
      folders.push(...(await foldersAt(folder)));
    }
    return stamps.join();
  }
}

function nameOf(file: string): string | null {
  // Declaration files are not functions: `x.d.ts` describes `x`.
  if (file.endsWith('.d.ts')) return null;
  const extension = EXTENSIONS.find((candidate) => file.endsWith(candidate));
  if (extension === undefined) return null;
  const name = file.slice(0, -extension.length);
  return NAME.test(name) ? name : null;
}

function stamp(found: BigIntStats): string {
  return `${found.mtimeNs}/${found.size}/${found.ino}`;
}

/** Follows links, because mounted configuration is often made of them. */
async function statFile(path: string): Promise<BigIntStats | null> {
  try {
    const found = await stat(path, { bigint: true });
    return found.isFile() ? found : null;
  } catch {
    return null;
  }
}

async function entriesAt(folder: string): Promise<{ name: string; isFolder: boolean; isLink: boolean }[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
    }));
  } catch {
    return [];
  }
}

async function filesAt(folder: string): Promise<string[]> {
  return (await entriesAt(folder)).filter((entry) => !entry.isFolder).map((entry) => entry.name);
}

async function foldersAt(folder: string): Promise<string[]> {
  return (await entriesAt(folder))
    .filter((entry) => entry.isFolder && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map((entry) => join(folder, entry.name))
    .sort();
}
