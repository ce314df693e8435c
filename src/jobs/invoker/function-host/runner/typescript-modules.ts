import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';
import type { Module } from 'node:vm';

import type { transformSync } from '@swc/wasm-typescript';

interface StripFailure {
  message: string;
  startLine: number;
}

type Namespace = Record<string, unknown>;

/** The package @swc/wasm-typescript. */
export interface TypeStripper {
  readonly transformSync: typeof transformSync;
}

/**
 * Loads modules for Node releases that do not strip types themselves (before 22.18). Types are replaced by blanks with
 * Node's own stripper, so that lines and columns in stacks stay correct and a function behaves the same on every release.
 * Loader hooks are not an option: they need worker threads, which a function could use to escape the permission model.
 */
export class TypescriptModules {
  readonly #modules = new Map<string, Promise<Module>>();
  readonly #evaluated = new Map<string, Promise<Namespace>>();

  constructor(private readonly stripper: TypeStripper) {}

  async import(url: string): Promise<Namespace> {
    let evaluated = this.#evaluated.get(url);
    if (evaluated === undefined) {
      evaluated = this.#evaluate(url);
      this.#evaluated.set(url, evaluated);
    }
    return await evaluated;
  }

  async #evaluate(url: string): Promise<Namespace> {
    const module = await this.#module(url);
    if (module.status === 'unlinked') {
      await module.link((specifier, referrer) => this.#module(resolveFrom(specifier, referrer.identifier)));
    }
    await module.evaluate();
    return module.namespace as Namespace;
  }

  async #module(url: string): Promise<Module> {
    let module = this.#modules.get(url);
    if (module === undefined) {
      module = isSource(url) ? this.#ofSource(url) : this.#ofNode(url);
      this.#modules.set(url, module);
    }
    return await module;
  }

  async #ofSource(url: string): Promise<Module> {
    const file = fileURLToPath(url);
    const text = await readFile(file, 'utf8');
    return new SourceTextModule(file.endsWith('ts') ? this.#blankTypes(text, file) : text, {
      identifier: url,
      initializeImportMeta: (meta) => {
        meta.url = url;
        meta.filename = file;
        meta.dirname = fileURLToPath(new URL('.', url));
        meta.resolve = (specifier: string) => resolveFrom(specifier, url);
      },
      importModuleDynamically: async (specifier: string) => await this.#dynamic(resolveFrom(specifier, url)),
    });
  }

  #blankTypes(text: string, file: string): string {
    try {
      return this.stripper.transformSync(text, { mode: 'strip-only', filename: file }).code;
    } catch (error) {
      if (!isStripFailure(error)) throw error;
      throw new SyntaxError(`${error.message} (${basename(file)}:${error.startLine})`, { cause: error });
    }
  }

  async #dynamic(url: string): Promise<Module> {
    await this.import(url);
    return await this.#module(url);
  }

  /** Node itself loads its own modules and those of packages. */
  async #ofNode(url: string): Promise<Module> {
    const attributes = url.endsWith('.json') ? { with: { type: 'json' } } : {};
    const loaded = (await import(url, attributes)) as Namespace;
    const names = Object.keys(loaded);
    return new SyntheticModule(
      names,
      function () {
        for (const name of names) this.setExport(name, loaded[name]);
      },
      { identifier: url },
    );
  }
}

function isSource(url: string): boolean {
  return /^file:.*\.m(ts|js)$|^file:.*\.ts$/.test(url) && !url.includes('/node_modules/');
}

/** As Node itself resolves; its message names the importer. */
function resolveFrom(specifier: string, parent: string): string {
  // The second argument needs --experimental-import-meta-resolve.
  return import.meta.resolve(specifier, parent);
}

function isStripFailure(error: unknown): error is StripFailure {
  return typeof error === 'object' && error !== null && 'startLine' in error && 'message' in error;
}
