import ts from 'typescript';
import { RUN_STATUSES } from '../../src/jobs/runs/model/run-status.js';
import { sourceFiles, walk } from './source-tree.js';

const TABLE = 'src/jobs/runs/model/status-sql.ts';
const CLAIM = 'src/jobs/runs/model/claim-statement.ts';
const FINISH = 'src/jobs/runs/finish/finish-statement.ts';
const END = 'src/jobs/runs/finish/run-end.repository.ts';
const EXCHANGE = 'src/jobs/runs/finish/run-exchange.repository.ts';

/** A status of a run as an SQL literal. Outcomes of attempts and error codes share some of the words. */
const STATUS_LITERAL = new RegExp(`(?<!\\b(?:outcome|error_code) = )'(?:${RUN_STATUSES.join('|')})'`);
/** An UPDATE of `runs` that sets `status` or `completed_at`. */
const STATUS_UPDATE =
  /\bUPDATE runs\b(?:(?!\b(?:FROM|WHERE|RETURNING|UPDATE)\b)[^])*\b(?:status|completed_at) =/;

/** The strings and templates of a file, these without the code in them. */
function textsOf(syntax: ts.SourceFile): string[] {
  const texts: string[] = [];
  walk(syntax, (node) => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push(
        [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('?'),
      );
  });
  return texts;
}

const files = sourceFiles('src').map(({ path, syntax, imports }) => ({
  path,
  texts: textsOf(syntax),
  imports,
}));

function filesWith(matches: (text: string) => boolean): string[] {
  return files.filter(({ texts }) => texts.some(matches)).map(({ path }) => path);
}

describe('the status of a run', () => {
  it('is compared and set in SQL only by conditions that are made from the table of transitions', () => {
    const words = /\bruns?\b|\bstatus\b/;
    expect(filesWith((text) => words.test(text) && STATUS_LITERAL.test(text))).toEqual([]);
    const users = files.filter(({ imports }) => imports.some(({ file }) => file === TABLE));
    expect(users.map(({ path }) => path)).toEqual(expect.arrayContaining([CLAIM, FINISH]));
  });

  it('is set to running by the claim alone, and to anything else by the two files of the ends', () => {
    expect(filesWith((text) => STATUS_UPDATE.test(text))).toEqual([FINISH, END, CLAIM]);
  });

  it('comes to its end through RunEnds and RunCancellation alone, which count it and pass on its slot', () => {
    const callersOf = (repository: string): string[] =>
      files
        .filter(({ imports }) => imports.some(({ file, isTypeOnly }) => file === repository && !isTypeOnly))
        .map(({ path }) => path);
    expect(callersOf(END)).toEqual([
      'src/jobs/jobs.module.ts',
      'src/jobs/runs/finish/run-cancellation.ts',
      'src/jobs/runs/finish/run-ends.ts',
    ]);
    expect(callersOf(EXCHANGE)).toEqual(['src/jobs/jobs.module.ts', 'src/jobs/runs/finish/run-exchange.ts']);
  });
});
