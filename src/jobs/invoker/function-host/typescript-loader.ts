import { readFile } from 'node:fs/promises';
import type { LoadHook } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

interface StripFailure {
  message: string;
  startLine: number;
}

/**
 * Module hook for Node releases that do not strip types themselves (before 22.18). Types are replaced by blanks,
 * as Node does it, with Node's own stripper: lines and columns in stacks stay true, and a function means the
 * same on either release.
 */
export const load: LoadHook = async (url, context, nextLoad) => {
  if (!url.startsWith('file:') || !/\.m?ts$/.test(url)) return nextLoad(url, context);
  const file = fileURLToPath(url);
  const text = await readFile(file, 'utf8');
  // Large (WebAssembly), so only for functions that need it.
  const { default: stripper } = await import('@swc/wasm-typescript');
  try {
    const { code } = stripper.transformSync(text, { mode: 'strip-only', filename: file });
    return { format: 'module', source: code, shortCircuit: true };
  } catch (error) {
    if (!isStripFailure(error)) throw error;
    throw new SyntaxError(`${error.message} (${basename(file)}:${error.startLine})`, { cause: error });
  }
};

function isStripFailure(error: unknown): error is StripFailure {
  return typeof error === 'object' && error !== null && 'startLine' in error && 'message' in error;
}
