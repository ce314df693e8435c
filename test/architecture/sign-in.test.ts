import { sourceFiles } from './source-tree.js';

describe('sessions', () => {
  it('are opened by SignIn alone, so that no way of signing in goes round a further step', () => {
    const openers = sourceFiles('src')
      .filter(({ syntax }) => /\bsessions\s*\.open\(/.test(syntax.text))
      .map(({ path }) => path);
    expect(openers).toEqual(['src/identity/sessions/sessions.ts', 'src/identity/sign-in/sign-in.ts']);
  });
});
