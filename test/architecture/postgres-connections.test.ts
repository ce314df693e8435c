import { sourceFiles } from './source-tree.js';

/** The driver itself takes from the environment whatever it is not told (decision 0126). */
const CONNECTS = 'src/platform/postgres/postgres-client.ts';

describe('connections to PostgreSQL', () => {
  it('are all made by the one class that takes nothing from the environment', () => {
    const others = sourceFiles('src')
      .filter(({ path }) => path !== CONNECTS)
      .filter(({ imports }) =>
        imports.some(({ specifier, isTypeOnly }) => specifier === 'pg' && !isTypeOnly),
      );
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});
