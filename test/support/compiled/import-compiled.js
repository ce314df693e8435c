const COMPILED = new URL('../../../dist/', import.meta.url);

/** @param {string} path of a module below dist/, which Node loads outside of the context of a suite */
export async function importCompiled(path) {
  return await import(new URL(path, COMPILED).href);
}
