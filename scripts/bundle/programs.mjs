// Joins the compiled programs with the packages that they load: a few files are read in a third of the time that
// three thousand take. The compiled files stay beside it, for code that imports a part.
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundling.mjs';

const compiled = fileURLToPath(new URL('../../dist/src', import.meta.url));

/** These find files beside their own. */
const UNBUNDLED_PARTS = /\/(most-used-passwords|function-host\/index|postgres-binaries)\.js$/;

await bundle({
  entryPoints: [join(compiled, 'main.js'), join(compiled, 'cli/main.js')],
  outdir: compiled,
  outbase: compiled,
  chunkNames: 'program/[name]-[hash]',
  allowOverwrite: true,
  plugins: [
    {
      name: 'leave parts as they are',
      setup({ onResolve }) {
        onResolve({ filter: UNBUNDLED_PARTS }, ({ path, resolveDir }) => ({
          path: `#compiled/${relative(compiled, join(resolveDir, path))}`,
          external: true,
        }));
      },
    },
  ],
});
