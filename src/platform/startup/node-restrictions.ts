import { fileURLToPath } from 'node:url';

/** An option by which Node.js or V8 withholds something that packages of the program use. */
interface Restriction {
  readonly option: string;
  /** What it does, in words that follow "which". */
  readonly effect: string;
  /** By what it does: an option has several spellings, and comes by several ways. */
  readonly isInForce: () => boolean;
}

const RESTRICTIONS: readonly Restriction[] = [
  {
    option: '--disallow-code-generation-from-strings',
    effect: 'forbids functions made of texts, as the router of requests makes them',
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- nothing else shows whether it is allowed
    isInForce: () => fails(() => new Function()),
  },
  {
    option: '--frozen-intrinsics',
    effect: 'freezes objects of the language that packages of the program extend',
    isInForce: () => Object.isFrozen(Object.prototype),
  },
  {
    option: '--disable-proto=throw',
    effect: 'forbids the property __proto__, which packages of the program use',
    isInForce: () => fails(() => Reflect.get({}, '__proto__') as unknown),
  },
  {
    option: '--jitless',
    effect: 'takes WebAssembly away, which the HTTP client of Node.js uses',
    isInForce: () => !('WebAssembly' in globalThis),
  },
  {
    option: '--no-experimental-global-webcrypto',
    effect: 'takes the global crypto away, which packages of the program use',
    isInForce: () => !('crypto' in globalThis),
  },
  {
    option: '--permission',
    effect:
      'keeps the program from files and processes that it needs; what functions may do is decided by functions.isolation',
    isInForce: isConfined,
  },
  {
    option: '--no-addons',
    effect: 'keeps native packages from loading, such as the one that hashes passwords',
    isInForce: () => codeOf(loadThisFile) === 'ERR_DLOPEN_DISABLED',
  },
];

/** Why the program cannot run in this Node.js process, and what to do; null if it can. */
export function restrictionOfNode(): string | null {
  const found = RESTRICTIONS.find(({ isInForce }) => isInForce());
  if (found === undefined) return null;
  return (
    `Node.js runs with ${found.option}, which ${found.effect}; ` +
    'remove the option from the command line or from NODE_OPTIONS'
  );
}

/** Whether the permission model (https://nodejs.org/api/permissions.html) leaves less than all files and processes. */
function isConfined(): boolean {
  const { permission } = process as { permission?: { has(scope: string): boolean } };
  return (
    permission !== undefined && !['fs.read', 'fs.write', 'child'].every((scope) => permission.has(scope))
  );
}

/** As a native package, which it is not: the error tells why it does not load. */
function loadThisFile(): void {
  process.dlopen({ exports: {} }, fileURLToPath(import.meta.url));
}

function fails(attempt: () => unknown): boolean {
  return codeOf(attempt) !== null;
}

/** The code of the error that an attempt throws, '' if it has none; null if nothing is thrown. */
function codeOf(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}
