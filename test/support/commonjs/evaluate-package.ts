import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';

/*
 * Some packages are CommonJS and require packages that are ES modules. Node does that; Jest does it only on
 * Node 24.9 and later. Here the files of such a package are evaluated as they are, with a `require` that
 * hands out what the caller has imported.
 */
interface Module {
  exports: unknown;
}

type Evaluate = (require: (name: string) => unknown, module: Module, exports: unknown) => void;

const requireOthers = createRequire(import.meta.url);

/**
 * What a CommonJS package exports.
 *
 * @param folder of its files, within node_modules
 * @param imported the ES modules that it requires, by name
 */
export function evaluatePackage(folder: string, imported: Readonly<Record<string, unknown>>): unknown {
  const root = new URL(`../../../node_modules/${folder}/`, import.meta.url);
  const loaded = new Map<string, Module>();
  const load = (request: string): unknown => {
    const candidates = [request, `${request}.js`, `${request}/index.js`];
    const path = candidates.find((file) => file.endsWith('.js') && existsSync(new URL(file, root)));
    if (path === undefined) throw new Error(`${folder} has no ${request}`);
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    loaded.set(path, module);
    const source = readFileSync(new URL(path, root), 'utf8');
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the package's own code, in the test's realm
    const evaluate = new Function('require', 'module', 'exports', source) as Evaluate;
    const requireHere = (name: string): unknown => {
      if (name.startsWith('.')) return load(posix.join(posix.dirname(path), name));
      return imported[name] ?? requireOthers(name);
    };
    evaluate(requireHere, module, module.exports);
    return module.exports;
  };
  return load('index');
}
