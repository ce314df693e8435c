import { writeFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { UNBUNDLED } from './unbundled.mjs';
import { leaveOutWhatIsUnused } from './unused-code.mjs';

/** Frameworks ask for packages that are not installed, and do without. */
const leaveOutWhatIsMissing = {
  name: 'leave out what is missing',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === leaveOutWhatIsMissing) return undefined;
      const { errors } = await resolve(path, { ...from, pluginData: leaveOutWhatIsMissing });
      return errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};

const NAMING = '__name=(target,value)=>__defProp(target,"name",{value,configurable:true})';
const NAMING_CLASSES =
  '__name=(target,value,isClass)=>isClass?__defProp(target,"name",{value,configurable:true}):target';

/**
 * Keeps the names of classes alone, on which documents, logs and errors depend. To name a function would cost each call
 * that makes a closure.
 */
function nameClassesOnly(text) {
  return text
    .replace(NAMING, NAMING_CLASSES)
    .replaceAll(/\b__name\(\s*this,\s*("[^"]*")\s*\)/g, '__name(this,$1,true)');
}

/**
 * Joins each entry with the packages that it loads; what several load is in files that they share.
 * @returns what esbuild says of it, with `metafile` in the options the files that it read
 */
export async function bundle({ plugins = [], ...options }) {
  const { outputFiles, ...result } = await build({
    ...options,
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    keepNames: true,
    // Sources stay in memory: 20 MiB of indentation and comments. Lines stay short so that stack traces are readable.
    minifyWhitespace: true,
    legalComments: 'none',
    lineLimit: 160,
    external: UNBUNDLED.flatMap((name) => [name, `${name}/*`]),
    plugins: [...plugins, leaveOutWhatIsMissing, leaveOutWhatIsUnused],
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  if (!outputFiles.some(({ text }) => text.includes(NAMING)))
    throw new Error('esbuild names functions in another way: adapt scripts/bundle/bundling.mjs');
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, nameClassesOnly(text));
  }
  return result;
}
