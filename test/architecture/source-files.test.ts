import ts from 'typescript';
import { sourceFiles, walk } from './source-tree.js';
import type { SourceFile } from './source-tree.js';

const MAX_LINES = 400;
const MAX_COLLABORATORS = 7;
const DRAWERS = /(?:^|[/.-])(?:utils?|common|helpers?|shared|misc)(?=[/.-]|$)/;

const program = [...sourceFiles('src'), ...sourceFiles('servicectl/src')];
const files = [...program, ...sourceFiles('migrations')];

/** Where nodes of a file match, as `path:line`. */
function places(of: readonly SourceFile[], matches: (node: ts.Node) => boolean): string[] {
  return of.flatMap(({ path, syntax }) => {
    const found: string[] = [];
    walk(syntax, (node) => {
      if (matches(node))
        found.push(`${path}:${syntax.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    });
    return found;
  });
}

function isMember(node: ts.Node, object: string, member?: string): boolean {
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return false;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== object) return false;
  if (member === undefined) return true;
  const name = ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
  return (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) && name.text === member;
}

function namesProperty(node: ts.Node, name: string): node is ts.PropertyAssignment {
  return ts.isPropertyAssignment(node) && node.name.getText().replaceAll(/['"]/g, '') === name;
}

describe('source files', () => {
  it(`have at most ${MAX_LINES} lines`, () => {
    expect(
      files.filter(({ lineCount }) => lineCount > MAX_LINES).map(({ path, lineCount }) => [path, lineCount]),
    ).toEqual([]);
  });

  it(`have no constructor with more than ${MAX_COLLABORATORS} collaborators`, () => {
    expect(
      places(
        files,
        (node) => ts.isConstructorDeclaration(node) && node.parameters.length > MAX_COLLABORATORS,
      ),
    ).toEqual([]);
  });

  it('are not drawers for whatever has no better place', () => {
    expect(files.map(({ path }) => path).filter((path) => DRAWERS.test(path))).toEqual([]);
  });

  it('read the environment only in platform/config, except the variables of the command line', () => {
    const readers = places(program, (node) => isMember(node, 'process', 'env'));
    const others = readers.filter((place) => !place.startsWith('src/platform/config/'));
    expect(others.map((place) => place.replace(/:\d+$/, ''))).toEqual(['servicectl/src/environment.ts']);
    // Destructuring and named imports are the other ways to the same object.
    expect(
      places(
        program,
        (node) =>
          (ts.isImportDeclaration(node) &&
            ['process', 'node:process'].includes((node.moduleSpecifier as ts.StringLiteral).text)) ||
          (ts.isVariableDeclaration(node) &&
            ts.isObjectBindingPattern(node.name) &&
            node.initializer?.getText() === 'process'),
      ),
    ).toEqual([]);
  });

  it('never let TypeORM change the schema by itself', () => {
    const named = files.flatMap(({ path, syntax }) => {
      const values: string[] = [];
      walk(syntax, (node) => {
        if (namesProperty(node, 'synchronize') || namesProperty(node, 'migrationsRun'))
          values.push(node.initializer.getText());
      });
      return values.map((value) => ({ path, value }));
    });
    expect(named).not.toEqual([]);
    expect(named.filter(({ value }) => value !== 'false')).toEqual([]);
  });

  it('write to the log and not to the console', () => {
    expect(places(files, (node) => isMember(node, 'console'))).toEqual([]);
  });
});
