import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** One import or re-export of a source file. */
export interface Import {
  /** What the code says: a package, or a relative path. */
  readonly specifier: string;
  /** The file that it leads to, from the root of the repository; null for a package. */
  readonly file: string | null;
  /** `import(…)`: loaded when the code comes by it. */
  readonly isDynamic: boolean;
  /** `import type`, of which nothing is left when the program runs. */
  readonly isTypeOnly: boolean;
}

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly syntax: ts.SourceFile;
  readonly lineCount: number;
  /** Static, dynamic and type-only ones alike. */
  readonly imports: readonly Import[];
}

/** Calls `visit` for a node and everything in it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => {
    walk(child, visit);
  });
}

function resolved(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const path = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
  if (!existsSync(join(ROOT, path))) throw new Error(`${from} imports ${specifier}, which is no source file`);
  return path;
}

function specifierIn(node: ts.Node): string | null {
  let specifier: ts.Node | undefined;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) specifier = node.moduleSpecifier;
  else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    [specifier] = node.arguments;
  else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    specifier = node.argument.literal;
  return specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : null;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  return ts.isImportTypeNode(node) || (ts.isExportDeclaration(node) && node.isTypeOnly);
}

function importsOf(path: string, syntax: ts.SourceFile): Import[] {
  const found: Import[] = [];
  walk(syntax, (node) => {
    const specifier = specifierIn(node);
    if (specifier !== null)
      found.push({
        specifier,
        file: resolved(path, specifier),
        isDynamic: ts.isCallExpression(node),
        isTypeOnly: isTypeOnly(node),
      });
  });
  return found;
}

declare global {
  /** test/support/compiled/environment.js */
  var keptForSuites: Map<string, unknown>;
}

/** All TypeScript files of a folder of the repository, parsed once for all suites of a worker. */
export function sourceFiles(folder: 'src' | 'servicectl/src' | 'migrations' | 'client/src'): SourceFile[] {
  const kept = globalThis.keptForSuites.get(folder) as SourceFile[] | undefined;
  if (kept !== undefined) return kept;
  const files = parsedFiles(folder);
  globalThis.keptForSuites.set(folder, files);
  return files;
}

function parsedFiles(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      return { path, syntax, lineCount: text.split('\n').length - 1, imports: importsOf(path, syntax) };
    });
}

/** The folders above a file, the nearest first, up to the root. */
export function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}
