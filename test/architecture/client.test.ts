import { readFileSync } from 'node:fs';
import { sourceFiles } from './source-tree.js';

const MAX_LINES = 400;
const GENERATED = 'client/src/generated/';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const files = sourceFiles('client/src');

function manifestOf(path: string): Manifest {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as Manifest;
}

/** The files that an entry loads, types left out, and the packages that they name. */
function loadedBy(entry: string): { paths: string[]; packages: string[] } {
  const [paths, packages] = [new Set([entry]), new Set<string>()];
  for (const path of paths) {
    const imports = files.find((file) => file.path === path)?.imports ?? [];
    for (const { file, specifier, isTypeOnly } of imports) {
      if (isTypeOnly) continue;
      if (file === null) packages.add(specifier);
      else paths.add(file);
    }
  }
  return { paths: [...paths], packages: [...packages].sort() };
}

describe('the client', () => {
  it('imports nothing of the server, nor of Node.js: it runs in browsers', () => {
    const outside = files.flatMap(({ path, imports }) =>
      imports.flatMap(({ file, specifier }) =>
        specifier.startsWith('node:') || (file !== null && !file.startsWith('client/src/'))
          ? [`${path} -> ${specifier}`]
          : [],
      ),
    );
    expect(outside).toEqual([]);
  });

  it('loads the packages that it depends on, and in a page no more than it needs there', () => {
    const { dependencies } = manifestOf('client/package.json');
    const [page, verify] = ['client/src/index.ts', 'client/src/verify/index.ts'].map(loadedBy);
    expect(page?.packages).toEqual(['eventsource-parser', 'idb-keyval']);
    expect(verify?.packages).toEqual(['jose', 'standardwebhooks']);
    expect(Object.keys(dependencies).sort()).toEqual([
      ...(page?.packages ?? []),
      ...(verify?.packages ?? []),
    ]);
  });

  it('depends on what this repository tries it with', () => {
    const root = manifestOf('package.json');
    const tried = { ...root.devDependencies, ...root.dependencies };
    for (const [name, range] of Object.entries(manifestOf('client/package.json').dependencies))
      expect([name, range]).toEqual([name, `^${tried[name] ?? ''}`]);
  });

  it(`has at most ${MAX_LINES} lines a file, those apart that are generated`, () => {
    const long = files.filter(({ path, lineCount }) => !path.startsWith(GENERATED) && lineCount > MAX_LINES);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('loads nothing of what is generated, which is types', () => {
    const loaded = loadedBy('client/src/index.ts').paths;
    expect(loaded.length).toBeGreaterThan(30);
    expect(loaded.filter((path) => path.startsWith(GENERATED))).toEqual([]);
  });
});
