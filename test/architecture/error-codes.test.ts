import ts from 'typescript';
import { ERROR_CODES } from '../../src/http/index.js';
import { sourceFiles, walk } from './source-tree.js';

const REGISTRY = 'src/http/errors/error-codes.ts';

const program = sourceFiles('src').filter(({ path }) => path !== REGISTRY);

/** The first argument of each `new ServiceError('…')`, with its place. */
function thrownCodes(): { code: string; path: string }[] {
  return program.flatMap(({ path, syntax }) => {
    const found: { code: string; path: string }[] = [];
    walk(syntax, (node) => {
      if (!ts.isNewExpression(node) || node.expression.getText() !== 'ServiceError') return;
      const [code] = node.arguments ?? [];
      if (code !== undefined && ts.isStringLiteralLike(code)) found.push({ code: code.text, path });
    });
    return found;
  });
}

/** A list of codes that a route declares says that it may answer them, not that anything does. */
function isDeclaration(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node) && node.name.getText() === 'errors';
}

function textsInUse(): Set<string> {
  const texts = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    node.forEachChild(visit);
  };
  for (const { syntax } of program) visit(syntax);
  return texts;
}

describe('error codes', () => {
  it('are registered before they are thrown', () => {
    const thrown = thrownCodes();
    expect(thrown.length).toBeGreaterThan(10);
    expect(thrown.filter(({ code }) => !Object.hasOwn(ERROR_CODES, code))).toEqual([]);
  });

  it('are registered only when something answers them', () => {
    const used = textsInUse();
    expect(Object.keys(ERROR_CODES).filter((code) => !used.has(code))).toEqual([]);
  });

  it('are lower snake case, mean something in a sentence, and have a status of refusal or failure', () => {
    for (const [code, { status, meaning }] of Object.entries(ERROR_CODES)) {
      expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      expect(meaning).toMatch(/^[A-Za-z].*\.$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
    }
  });
});
