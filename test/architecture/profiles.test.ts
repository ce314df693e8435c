import ts from 'typescript';
import { sourceFiles, walk } from './source-tree.js';

/** Who may ask which profile is served: whoever puts the program together, and the configuration itself. */
const PUT_TOGETHER = [
  'src/app.module.ts',
  'src/application.ts',
  'src/cli/operator/doctor/deployment-facts.ts',
  'src/cli/operator/operator-context.ts',
  'src/startup/banner.ts',
];

const program = sourceFiles('src');

describe('the profile that is served', () => {
  it('is asked for by those alone who put the program together', () => {
    const asking = program.filter(({ syntax }) => {
      const found: ts.Node[] = [];
      walk(syntax, (node) => {
        if (ts.isPropertyAccessExpression(node) && /(?:^|\.)identity\.profile$/.test(node.getText()))
          found.push(node);
      });
      return found.length > 0;
    });
    const paths = asking.map(({ path }) => path).filter((path) => !path.startsWith('src/platform/config/'));
    expect(paths.sort()).toEqual(PUT_TOGETHER);
  });

  it('is unknown to the core of identity, and to vault, audit and scheduler', () => {
    const neutral = /^src\/(?:identity\/(?!profiles\/)[^/]+\/|vault\/|audit\/|scheduler\/)/;
    const branching = program.filter(
      ({ path, syntax }) => neutral.test(path) && /['"](?:organization|project)['"]/.test(syntax.text),
    );
    expect(branching.map(({ path }) => path)).toEqual([]);
  });
});
