/** The names of a client's methods, such as `jobs.trigger`, including those of its parts. */
export function methodsOf(client: object, path = ''): string[] {
  const own = inheritedNames(client)
    .filter((name) => name !== 'constructor')
    .filter((name) => typeof (client as Record<string, unknown>)[name] === 'function');
  const inner = Object.entries(client)
    .filter(([name, value]) => isPart(name, value))
    .flatMap(([name, value]) => methodsOf(value as object, `${path}${name}.`));
  return [...own.map((name) => `${path}${name}`), ...inner];
}

function inheritedNames(object: object): string[] {
  const prototype = Object.getPrototypeOf(object) as object;
  if (Object.getPrototypeOf(prototype) === null) return [];
  return [...Object.getOwnPropertyNames(prototype), ...inheritedNames(prototype)];
}

/** The members that are not parts themselves: what the parts are built on, and the operations by method and path. */
const INSIDE = ['api', 'transport', 'keeper'];

function isPart(name: string, value: unknown): boolean {
  return typeof value === 'object' && value !== null && !INSIDE.includes(name);
}

/** The operation of an OpenAPI document that a request is for, as `GET /jobs/v1/runs/{id}`. */
export class OperationFinder {
  private readonly templates: { path: string; pattern: RegExp }[];

  constructor(paths: readonly string[]) {
    this.templates = paths
      .map((path) => {
        const pattern = path.replaceAll('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+');
        return { path, pattern: new RegExp(`^${pattern}$`) };
      })
      // A literal segment is more precise than a parameter in the same position.
      .sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  }

  of(method: string, url: string): string {
    const { pathname } = new URL(url);
    const found = this.templates.find(({ pattern }) => pattern.test(pathname));
    return `${method} ${found?.path ?? pathname}`;
  }
}
