import { readFileSync } from 'node:fs';

/** Paths of pages as console/src/pages.ts lists them: of organizations and projects, and of the deployment. */
export function listedPaths(): { tenant: string[]; deployment: string[] } {
  const source = readFileSync(new URL('../../../console/src/pages.ts', import.meta.url), 'utf8');
  const [tenant = '', deployment = ''] = source.split('export const operatorPages');
  const pathsIn = (text: string): string[] =>
    [...text.matchAll(/^ +(?:\{ )?path: '([^']*)'/gm)].map(([, path = '']) => path);
  return { tenant: pathsIn(tenant), deployment: pathsIn(deployment) };
}

/** The path of the list that an address below its place is of: `runs/:id` for `runs/run_01KA`. */
export function listedAs(rest: string, paths: readonly string[]): string | undefined {
  const parts = rest.split('/');
  const matches = (path: string): boolean => {
    const listed = path.split('/');
    return (
      listed.length === parts.length &&
      listed.every((part, index) => part.startsWith(':') || part === parts[index])
    );
  };
  // `users/import` is no user.
  return paths.find((path) => path === rest) ?? paths.find(matches);
}
