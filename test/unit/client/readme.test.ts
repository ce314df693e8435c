import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../../client/src/index.js';
import { methodsOf } from '../../support/client-surface.js';

const README = readFileSync(join(import.meta.dirname, '../../../client/README.md'), 'utf8');
/** These say what they are for, and list no methods. */
const IN_PROSE = ['hooks', 'pages', 'health'];

/** The rows of the reference: what each names in code, by the parts of the client that it is about. */
function reference(): Map<string, string[]> {
  const [, table = ''] = /^## Reference\n([^]*?)\n## /m.exec(README) ?? [];
  const wordsOf = (cell: string): string[] =>
    [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.split(' '));
  return new Map(
    [...table.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].flatMap(([, parts = '', methods = '']) =>
      wordsOf(parts).map((part): [string, string[]] => [part, wordsOf(methods)]),
    ),
  );
}

it('the reference in the README of the client names each method, of `admin` each part', () => {
  const rows = reference();
  const missing = methodsOf(createClient({ url: 'http://127.0.0.1' }))
    .map((method) => method.split('.'))
    .filter(([part = '']) => !IN_PROSE.includes(part) && part !== 'inOrg')
    .filter((path) => {
      const [part = '', ...rest] = path;
      if (part === 'admin') return rows.get('admin')?.includes(rest.slice(0, -1).join('.')) !== true;
      return rows.get(path.slice(0, -1).join('.'))?.includes(path.at(-1) ?? '') !== true;
    })
    .map((path) => path.join('.'));
  // It throws, as the section on sessions says.
  expect(missing).toEqual(['auth.signInWithOAuth']);
});
