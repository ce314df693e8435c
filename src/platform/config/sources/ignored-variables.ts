/** Variables that tell a child process where it runs; the others may hold secrets. */
const HARMLESS = ['PATH', 'HOME', 'LANG', 'TZ', 'NODE_ENV', 'NODE_EXTRA_CA_CERTS'];

/** The part of this process's environment that code we do not trust may see. */
export function ignoredVariables(): Record<string, string> {
  const entries = HARMLESS.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
