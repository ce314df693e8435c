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

/** libuv's own bounds (https://docs.libuv.org/en/v1.x/threadpool.html). */
const DEFAULT_THREADS = 4;
const MAX_THREADS = 1024;

/** How many threads this process has for files, name look-ups and cryptography; fixed when it starts. */
export function threadPoolSize(variable = process.env.UV_THREADPOOL_SIZE): number {
  const wanted = Number(variable ?? DEFAULT_THREADS);
  return Number.isInteger(wanted) ? Math.min(Math.max(wanted, 1), MAX_THREADS) : DEFAULT_THREADS;
}
