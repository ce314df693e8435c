const COMPILED = new URL('../../../dist/', import.meta.url);

/** @param {string} path of a module below dist/, which Node loads outside of the context of a suite */
export async function importCompiled(path) {
  return await import(new URL(path, COMPILED).href);
}

/** @param {string} name of a package, of which the program and all suites of a worker get the same instance */
export async function importPackage(name) {
  return await import(name);
}
