import ts from 'typescript';
import { ADVISORY_LOCKS } from '../../src/platform/database/advisory-locks.js';
import { sourceFiles, walk } from './source-tree.js';

const REGISTRY = 'src/platform/database/advisory-locks.ts';
const files = sourceFiles('src').filter(({ path }) => path !== REGISTRY);

interface Use {
  readonly path: string;
  /** How many calls of `pg_advisory…` and `pg_try_advisory…` the file's SQL has. */
  readonly calls: number;
  /** The names of the locks that the file takes from the registry. */
  readonly names: readonly string[];
}

/** The files whose SQL takes or frees advisory locks, and what they take from the registry. */
function uses(): Use[] {
  return files.flatMap(({ path, syntax }) => {
    let calls = 0;
    const names: string[] = [];
    walk(syntax, (node) => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
        calls += node.getText(syntax).match(/pg_(?:try_)?advisory_\w+\(/g)?.length ?? 0;
      if (ts.isPropertyAccessExpression(node) && node.expression.getText(syntax) === 'ADVISORY_LOCKS')
        names.push(node.name.text);
    });
    return calls > 0 || names.length > 0 ? [{ path, calls, names }] : [];
  });
}

describe('advisory locks', () => {
  it('all have numbers that differ, so that no two subjects wait for each other', () => {
    const numbers = Object.values<number>(ADVISORY_LOCKS);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('take their numbers from the one registry, a name of it for each call', () => {
    const found = uses();
    expect(found.length).toBeGreaterThan(5);
    const without = found.filter(({ calls, names }) => calls !== names.length);
    expect(without.map(({ path, calls, names }) => `${path}: ${calls} calls, ${names.join(' ')}`)).toEqual(
      [],
    );
  });

  it('are each the matter of one file', () => {
    const owners = new Map<string, Set<string>>();
    for (const { path, names } of uses())
      for (const name of names) owners.set(name, new Set([...(owners.get(name) ?? []), path]));
    expect([...owners].filter(([, paths]) => paths.size > 1).map(([name]) => name)).toEqual([]);
    expect([...owners.keys()].sort()).toEqual(Object.keys(ADVISORY_LOCKS).sort());
  });
});
