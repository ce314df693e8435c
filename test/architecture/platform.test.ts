import ts from 'typescript';
import { sourceFiles } from './source-tree.js';

/** What another product would not have. `run` itself is a verb of every program. */
const PRODUCT_WORDS =
  /^(?:jobs?|runs|orgs?|organizations?|projects?|members?|memberships?|hooks?|manifests?|invitations?|invites?|apikeys?)$/i;
const PRODUCT_PHRASES = /run[_ ]?(?:id|token|worker|status|queue)|api[_ ]?key|\/(?:auth|jobs|admin)\/v1/i;

/** Where a product word stays, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/platform/config/': 'declares every setting of the program in one place',
  'src/platform/logging/program-log.ts': 'hooks is an option of pino, async_hooks a module of Node.js',
  'src/platform/queue/queue.module.ts': 'defaultJobOptions is an option of Bull',
  'src/platform/database/database.ts': 'a dry run is a transaction that is rolled back',
  'src/platform/database/advisory-locks.ts': 'registers every advisory lock, so that their numbers differ',
};

/** The words of an identifier or of a text. */
function wordsOf(text: string): string[] {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);
}

/** Identifiers and the texts that are one word or a path; sentences for people may explain by example. */
function namesIn(node: ts.Node): string[] {
  const own =
    ts.isIdentifier(node) || (ts.isStringLiteralLike(node) && !/\s/.test(node.text)) ? [node.text] : [];
  const inner: string[] = [];
  node.forEachChild((child) => {
    inner.push(...namesIn(child));
  });
  return [...own, ...inner];
}

describe('the platform', () => {
  it('names nothing of this product, so that it would survive in another one', () => {
    const named = sourceFiles('src')
      .filter(({ path }) => path.startsWith('src/platform/'))
      .filter(({ path }) => !Object.keys(EXCEPTIONS).some((prefix) => path.startsWith(prefix)))
      .flatMap(({ path, syntax }) =>
        [path.slice('src/platform/'.length), ...new Set(namesIn(syntax))]
          .filter(
            (name) => wordsOf(name).some((word) => PRODUCT_WORDS.test(word)) || PRODUCT_PHRASES.test(name),
          )
          .map((name) => `${path}: ${name}`),
      );
    expect(named).toEqual([]);
  });

  it('has no exception that is not needed', () => {
    const files = sourceFiles('src').filter(({ path }) => path.startsWith('src/platform/'));
    const idle = Object.keys(EXCEPTIONS).filter(
      (prefix) =>
        !files.some(
          ({ path, syntax }) =>
            path.startsWith(prefix) &&
            namesIn(syntax).some((name) => wordsOf(name).some((word) => PRODUCT_WORDS.test(word))),
        ),
    );
    expect(idle).toEqual([]);
  });
});
