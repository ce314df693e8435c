import { sourceFiles, walk } from './source-tree.js';
import ts from 'typescript';

/** What takes a response out of the hands of Nest, or gives it a body that goes on. */
const STREAMING = new Set(['StreamableFile', 'hijack']);

function namesIn(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  walk(file, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return names;
}

describe('streamed responses', () => {
  it('are made only where the access of the caller is watched', () => {
    const makers = sourceFiles('src')
      .map(({ path, syntax }) => ({ path, names: namesIn(syntax) }))
      // A controller passes on what a service of its module makes.
      .filter(
        ({ path, names }) =>
          !path.endsWith('-audit.controller.ts') && [...STREAMING].some((name) => names.has(name)),
      );
    expect(makers.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['src/audit/reading/audit-reading.ts', 'src/jobs/logs/logs.controller.ts']),
    );
    expect(makers.filter(({ names }) => !names.has('watchAccess')).map(({ path }) => path)).toEqual([]);
  });
});
