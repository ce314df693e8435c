import { realpathSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Node strips types itself from 22.18. */
export function hasOwnStripper(): boolean {
  const { typescript = false } = process.features as { typescript?: string | false };
  return typescript !== false;
}

/** The module that does it elsewhere, by its real path: packages may be links. */
export function typeStripper(): URL {
  return pathToFileURL(realpathSync(fileURLToPath(import.meta.resolve('@swc/wasm-typescript'))));
}
