import { build } from 'esbuild';
import { UNBUNDLED } from './unbundled.mjs';

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

/**
 * Joins each entry with the packages that it loads; what several load is in files that they share.
 * @returns what esbuild says of it, with `metafile` in the options the files that it read
 */
export async function bundle({ plugins = [], ...options }) {
  return await build({
    ...options,
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
    plugins: [...plugins, leaveOutWhatIsMissing],
    banner: {
      js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
}
