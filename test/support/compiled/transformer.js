import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importCompiled } from './import-compiled.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

async function exportsOf(path) {
  const module = relative(ROOT, path).replace(/\.ts$/, '.js');
  return { module, names: Object.keys(await importCompiled(module)) };
}

/** Jest transformer of the program's sources: a module that exports what the compiled one does (environment.js). */
export default {
  async processAsync(_source, path) {
    const { module, names } = await exportsOf(path);
    const lines = names.map((name) => `export const ${name} = compiled.${name};`);
    return { code: [`const compiled = await importCompiled('${module}');`, ...lines].join('\n') };
  },

  async getCacheKeyAsync(_source, path) {
    const { module, names } = await exportsOf(path);
    return createHash('sha256')
      .update(`${module} ${names.join(' ')}`)
      .digest('hex');
  },
};
