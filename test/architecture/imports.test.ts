import ts from 'typescript';
import { textOf } from '../support/documents/markdown.js';
import { foldersAbove, sourceFiles } from './source-tree.js';
import type { SourceFile } from './source-tree.js';

interface Module {
  readonly path: string;
  readonly rank: number;
  /** As the table has them: the lowest first, `.` for the files of the module itself. */
  readonly folders: readonly string[];
  readonly areFoldersRanked: boolean;
}

/** The table of docs/architecture.md: imports go to a lower rank, or stay in the module. */
const MODULES: readonly Module[] = [
  ...textOf('docs/architecture.md').matchAll(/^\| (-?\d+) +\| `([^`]+)` +\| ([^|]*)\|/gm),
].map(([, rank, name = '', folders = '']) => ({
  path: name === 'migrations' ? name : `src/${name}`,
  rank: Number(rank),
  folders: [...folders.matchAll(/`([^`]+)`/g)].map(([, folder = '']) => folder),
  areFoldersRanked: !folders.startsWith('not ranked'),
}));

const RANKS: Readonly<Record<string, number>> = Object.fromEntries(
  MODULES.map(({ path, rank }) => [path, rank]),
);

/**
 * Of one rank, yet one stands on the other: limits and tenants are spoken of in HTTP, signing keys follow cache
 * invalidation, API keys are an organization's, the vault leaves an audit trail.
 */
const WITHIN_A_RANK = [
  ['src/limits', 'src/http'],
  ['src/tenancy', 'src/http'],
  ['src/keys', 'src/orgs'],
  ['src/vault', 'src/audit'],
] as const;

/** Beside the index.ts of its folder, which the command line loads at its start. */
const LOADED_LATER = 'servicectl/src/table.ts';

const program = sourceFiles('src');
const migrations = sourceFiles('migrations');
const files = [...program, ...migrations];
const usersCommands = sourceFiles('servicectl/src');
const all = [...files, ...usersCommands];

/** The module that a file belongs to: a top-level folder, or a file that stands alone. */
function moduleOf(path: string): string {
  if (path.startsWith('migrations/')) return 'migrations';
  return path.split('/').slice(0, 2).join('/');
}

function isWithinRank(from: string, to: string): boolean {
  return WITHIN_A_RANK.some(([above, below]) => above === from && below === to);
}

/** Every import of one of our files, as `from -> to`, that `isWrong`. */
function wrongImports(
  isWrong: (from: string, to: string) => boolean,
  of: readonly SourceFile[] = all,
): string[] {
  return of.flatMap(({ path, imports }) =>
    imports.flatMap(({ file }) => (file !== null && isWrong(path, file) ? [`${path} -> ${file}`] : [])),
  );
}

/** Groups of files that import each other in a ring (Tarjan's strongly connected components). */
function cycles(): string[][] {
  const targets = new Map(
    all.map(({ path, imports }) => [
      path,
      imports.flatMap(({ file }) => (file === null || file === path ? [] : [file])),
    ]),
  );
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const rings: string[][] = [];
  const enter = (path: string): number => {
    const index = order.size;
    order.set(path, index);
    let low = index;
    stack.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!order.has(target)) low = Math.min(low, enter(target));
      else if (stack.includes(target)) low = Math.min(low, lowest.get(target) ?? order.get(target) ?? low);
    }
    lowest.set(path, low);
    if (low === index) {
      const ring = stack.splice(stack.indexOf(path));
      if (ring.length > 1) rings.push(ring);
    }
    return low;
  };
  for (const { path } of all) if (!order.has(path)) enter(path);
  return rings;
}

describe('imports', () => {
  it('see every module of the program in the table of ranks', () => {
    const unranked = [...new Set(files.map(({ path }) => moduleOf(path)))].filter(
      (module) => RANKS[module] === undefined,
    );
    expect(unranked).toEqual([]);
  });

  it('see every folder of a module in that table', () => {
    const known = MODULES.filter(({ folders }) => folders.length > 0);
    const missing = known.flatMap(({ path: module, folders }) => {
      const found = program
        .filter(({ path }) => path.startsWith(`${module}/`))
        .map(({ path }) => path.slice(module.length + 1).split('/'))
        .flatMap(([folder = '', ...rest]) => (rest.length > 0 && folder !== 'dto' ? [folder] : []));
      return [...new Set(found)]
        .filter((folder) => !folders.includes(folder))
        .map((folder) => `${module}/${folder}`);
    });
    expect(missing).toEqual([]);
  });

  it('point down the ranks, type-only ones too', () => {
    const upward = wrongImports((from, to) => {
      const [above, below] = [moduleOf(from), moduleOf(to)];
      if (above === below || isWithinRank(above, below)) return false;
      return (RANKS[above] ?? 0) <= (RANKS[below] ?? 0);
    }, files);
    expect(upward).toEqual([]);
  });

  it('point down the folders inside a module', () => {
    const ranked = MODULES.filter(({ folders, areFoldersRanked }) => areFoldersRanked && folders.length > 0);
    const upward = ranked.flatMap(({ path: module, folders: order }) => {
      const rank = (path: string): number => {
        const [folder = '', ...rest] = path.slice(module.length + 1).split('/');
        return order.indexOf(rest.length === 0 ? '.' : folder);
      };
      const inside = (path: string): boolean => path.startsWith(`${module}/`);
      const isDoor = (path: string): boolean => path === `${module}/index.ts`;
      return [
        ...files
          .filter(({ path }) => inside(path) && rank(path) < 0)
          .map(({ path }) => `${path} has no rank`),
        ...wrongImports((from, to) => inside(from) && inside(to) && !isDoor(from) && rank(from) < rank(to)),
      ];
    });
    expect(upward).toEqual([]);
  });

  it('enter a folder that has an index.ts by that alone', () => {
    const doors = new Set(all.map(({ path }) => path).filter((path) => path.endsWith('/index.ts')));
    const past = wrongImports((from, to) =>
      foldersAbove(to).some(
        (folder) =>
          doors.has(`${folder}/index.ts`) &&
          !from.startsWith(`${folder}/`) &&
          to !== `${folder}/index.ts` &&
          to !== LOADED_LATER,
      ),
    );
    expect(past).toEqual([]);
  });

  it('find an index.ts in every module and in every folder of the platform', () => {
    const folders = new Set(
      program.flatMap(({ path }) => {
        const parts = path.split('/');
        const depth = parts[1] === 'platform' ? 3 : 2;
        return parts.length > depth ? [parts.slice(0, depth).join('/')] : [];
      }),
    );
    const paths = new Set(program.map(({ path }) => path));
    // The command line is a program of its own, which nothing imports; a start loads one thing after the other.
    for (const folder of ['src/cli', 'src/startup']) folders.delete(folder);
    expect([...folders].filter((folder) => !paths.has(`${folder}/index.ts`))).toEqual([]);
  });

  it('find the names of an index.ts listed one by one', () => {
    const wholesale = all.flatMap(({ path, syntax }) =>
      syntax.statements.some((node) => ts.isExportDeclaration(node) && node.exportClause === undefined)
        ? [path]
        : [],
    );
    expect(wholesale).toEqual([]);
  });

  it('of access are made by the program alone', () => {
    const importers = wrongImports((_, to) => moduleOf(to) === 'src/access').filter(
      (line) => !line.startsWith('src/access/') && !line.startsWith('src/app.module.ts'),
    );
    expect(importers).toEqual([]);
  });

  it('keep the identity core free of profiles, and the profiles free of each other', () => {
    const profileOf = (path: string): string | undefined =>
      /^src\/identity\/profiles\/([^/]+)/.exec(path)?.[1];
    const mixed = wrongImports((from, to) => {
      const [here, there] = [profileOf(from), profileOf(to)];
      if (there === undefined || from === 'src/identity/profiles/profile-contracts.ts') return false;
      return here === undefined ? /^src\/identity\/(?!profiles\/)[^/]+\//.test(from) : here !== there;
    });
    expect(mixed).toEqual([]);
  });

  it('of servicectl are made by the commands of operators alone, which are a part of the same command line', () => {
    const toCommands = wrongImports((_, to) => to.startsWith('servicectl/'), files);
    expect(toCommands).not.toEqual([]);
    expect(toCommands.filter((line) => !line.startsWith('src/cli/'))).toEqual([]);
  });

  it('of the client library are made for the command line alone, and by its index.ts', () => {
    const toClient = wrongImports((_, to) => to.startsWith('client/'));
    expect(toClient).not.toEqual([]);
    const allowed = /^(?:servicectl\/src|src\/cli)\/\S+ -> client\/src\/index\.ts$/;
    expect(toClient.filter((line) => !allowed.test(line))).toEqual([]);
  });

  it('lead from servicectl to the client and to packages, and nowhere into the program', () => {
    const targets = usersCommands.flatMap(({ imports }) =>
      imports.map(({ file, specifier }) => file ?? specifier),
    );
    expect(targets).toContain('client/src/index.ts');
    const own = /^(?:servicectl\/src\/|client\/src\/index\.ts$)/;
    expect(targets.filter((target) => !own.test(target) && /^#|\.ts$/.test(target))).toEqual([]);
  });

  it('let the command line explain itself without the program and the client being loaded', () => {
    const atStart = new Set(['src/cli/main.ts']);
    for (const path of atStart) {
      const file = all.find((one) => one.path === path);
      for (const { isDynamic, isTypeOnly, file: target, specifier } of file?.imports ?? [])
        if (!isDynamic && !isTypeOnly) atStart.add(target ?? specifier);
    }
    const others = [...atStart].filter(
      (path) => !/^src\/cli\/(?!operator\/)|^servicectl\/|^node:/.test(path),
    );
    expect(others).toEqual(['commander']);
  });

  it('of migrations are of TypeORM and one another alone', () => {
    const others = migrations.flatMap(({ path, imports }) =>
      imports.flatMap(({ file, specifier }) =>
        specifier === 'typeorm' || file?.startsWith('migrations/') === true
          ? []
          : [`${path} -> ${specifier}`],
      ),
    );
    expect(others).toEqual([]);
  });

  it('form no cycle of files', () => {
    expect(cycles()).toEqual([]);
  });
});
