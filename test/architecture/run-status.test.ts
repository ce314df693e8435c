import ts from 'typescript';
import { exchangeRuns } from '../../migrations/baseline/exchange-runs.js';
import { runsInTurn } from '../../migrations/baseline/runs-in-turn.js';
import { runs as tables } from '../../migrations/baseline/runs.js';
import { BEGIN_RUN } from '../../src/jobs/runs/exchange/exchange-statement.js';
import {
  FINAL_STATUSES,
  FIRST_STATUS,
  isFinal,
  RUN_STATUSES,
  statusAfter,
  statusesBefore,
} from '../../src/jobs/runs/model/run-status.js';
import { canHappen, isRunning, isUnclaimed, isWaiting } from '../../src/jobs/runs/model/status-sql.js';
import { sourceFiles, walk } from './source-tree.js';

const BEGIN = 'src/jobs/runs/exchange/exchange-statement.ts';
const EXCHANGES = 'src/jobs/runs/exchange/exchange.repository.ts';
const PUMP = 'src/jobs/runs/exchange/run-pump.ts';
const RETENTION = 'src/jobs/runs/retention/retention.repository.ts';

/** A status of a run as an SQL literal. Outcomes of attempts and error codes share some of the words. */
const STATUS_LITERAL = new RegExp(`(?<!\\b(?:outcome|error_code) = )'(?:${RUN_STATUSES.join('|')})'`);
/** A statement that changes runs. */
const WRITE = /\b(?:INSERT INTO|UPDATE|DELETE FROM) runs(?:_active|_ended)?\b/;
const LOCK = /FROM tenant_queues queue\s[^;]* FOR NO KEY UPDATE|UPDATE tenant_queues SET/;

/** The texts in which PostgreSQL gets them, so that they can be read and pasted; others are made from the table. */
const WRITTEN_OUT = { exchange_runs_1: exchangeRuns, runs_in_turn: runsInTurn, begin_run: BEGIN_RUN };

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

function callersOf(target: string): string[] {
  return files
    .filter(({ imports }) => imports.some(({ file, isTypeOnly }) => file === target && !isTypeOnly))
    .map(({ path }) => path.replace('src/jobs/', ''));
}

describe('the status of a run', () => {
  it('is compared and set in SQL only by conditions that are made from the table of transitions', () => {
    const words = /\bruns?\b|\bstatus\b/;
    expect(filesWith((text) => words.test(text) && STATUS_LITERAL.test(text))).toEqual([BEGIN]);
  });

  it.each(Object.entries(WRITTEN_OUT))('is compared and set in %s as the table says', (_name, text) => {
    const conditions = [...text.matchAll(/\bstatus (?:=|IN) (?:'\w+'|\([^)]*\))/g)].map(([found]) => found);
    const known = [
      isWaiting('status'),
      isUnclaimed('status'),
      isRunning('status'),
      ...['retrying', ...FINAL_STATUSES].map((status) => `status = '${status}'`),
    ];
    for (const condition of conditions) expect(known).toContain(condition);
    // What a claim and an acceptance set.
    const values = [...text.matchAll(/[ (]'(\w+)'(?=, )/g)].flatMap(([, word]) =>
      RUN_STATUSES.filter((status) => status === word),
    );
    expect([FIRST_STATUS, statusAfter('claimed'), 'retrying']).toEqual(expect.arrayContaining(values));
  });

  it('is one of those of the partition in which the run is', () => {
    const valuesOf = (partition: string): string[] => {
      const [, list = ''] =
        new RegExp(`TABLE ${partition} [^;]*?FOR VALUES IN \\(([^)]*)\\)`).exec(tables) ?? [];
      return list.split(', ').map((literal) => literal.replaceAll("'", ''));
    };
    expect(valuesOf('runs_ended')).toEqual(FINAL_STATUSES);
    expect(valuesOf('runs_active')).toEqual(RUN_STATUSES.filter((status) => !isFinal(status)));
    // exchange_runs ends an attempt only while it runs, and without a fence whatever is in runs_active.
    for (const event of ['succeeded', 'failed for good', 'worker lost', 'attempt interrupted'] as const)
      expect(canHappen(event, 'status')).toBe(isRunning('status'));
    expect([...statusesBefore('cancelled')].sort()).toEqual([...valuesOf('runs_active')].sort());
  });
});

describe('the runs of a tenant', () => {
  it('are changed by exchanges alone, and ended ones deleted by retention', () => {
    expect(filesWith((text) => WRITE.test(text))).toEqual([BEGIN, RETENTION]);
    for (const text of [exchangeRuns, BEGIN_RUN]) {
      expect(WRITE.exec(text)?.index).toBeGreaterThan(LOCK.exec(text)?.index ?? Infinity);
    }
    expect(WRITE.test(runsInTurn)).toBe(false);
    const ofRetention = files.find(({ path }) => path === RETENTION)?.texts ?? [];
    expect(ofRetention.some((text) => /runs_active|FROM runs WHERE id/.test(text))).toBe(false);
  });

  it('are exchanged by those alone who accept, end or cancel runs', () => {
    expect(callersOf(EXCHANGES)).toEqual([
      // Whose jobs' concurrency changes.
      'definitions/job-store.ts',
      'jobs.module.ts',
      'runs/enqueue/parent-runs.ts',
      'runs/enqueue/run-enqueuer.ts',
      'runs/exchange/run-pump.ts',
      'runs/finish/reported-ends.ts',
      'runs/finish/run-cancellation.ts',
      'runs/finish/run-ends.ts',
    ]);
    expect(callersOf(PUMP)).toEqual([
      'jobs.module.ts',
      'runs/attempt/run-worker.ts',
      'runs/deferral/attempt-deferral.ts',
      'runs/enqueue/run-enqueuer.ts',
      'runs/finish/blocked-runs.ts',
      'runs/finish/reported-ends.ts',
      'runs/finish/run-ends.ts',
    ]);
  });
});
